package validate

// serverCall is a call of a server tool.
type serverCall struct {
	id, name string
	message  int
}

// openCalls are the server tool calls without a result so far: those made, less those answered. Both lists only grow,
// because the states of earlier messages share them; when the answered ones are many, both begin anew.
type openCalls struct {
	made     []serverCall
	answered []string
}

func (o openCalls) fork() openCalls {
	return openCalls{o.made[:len(o.made):len(o.made)], o.answered[:len(o.answered):len(o.answered)]}
}

// left are the calls that are open. An answer is that of the first open call of its id.
func (o openCalls) left() []serverCall {
	if len(o.answered) == 0 {
		return o.made
	}
	answers := make(map[string]int, len(o.answered))
	for _, id := range o.answered {
		answers[id]++
	}
	var left []serverCall
	for _, s := range o.made {
		if answers[s.id] > 0 {
			answers[s.id]--
			continue
		}
		left = append(left, s)
	}
	return left
}

// opens takes up a call.
func (c *conversation) opens(s serverCall) {
	c.open.made = append(c.open.made, s)
	if c.pending != nil {
		c.pending[s.id]++
	}
}

// closes takes up a result and tells whether a call was open for it.
func (c *conversation) closes(id string) bool {
	if len(c.open.made) == 0 {
		return false
	}
	if c.pending == nil {
		c.pending = make(map[string]int, len(c.open.made))
		for _, s := range c.open.left() {
			c.pending[s.id]++
		}
	}
	if c.pending[id] == 0 {
		return false
	}
	if c.pending[id]--; c.pending[id] == 0 {
		delete(c.pending, id)
	}
	c.open.answered = append(c.open.answered, id)
	if 2*len(c.open.answered) >= len(c.open.made) {
		c.open = openCalls{made: c.open.left()}
	}
	return true
}
