package scenarios

// scriptShape is everything a script file may say.
func scriptShape() *shape {
	answer := answerShape(&shape{doc: "The tool the model calls. A harness that offers it under another name, such as run_shell_command for Bash, is called by that name."})
	rules := func(doc string) *shape {
		return &shape{kind: list, entry: "rule", doc: doc, of: ruleShape(answer)}
	}
	return &shape{kind: record, doc: "What a server says to any client.",
		anyOf: []string{"rules", "lanes", "default", "autopilot"},
		keys: []key{
			{name: "script", shape: &shape{doc: "What the script is for, for people."}},
			{name: "lanes", shape: &shape{kind: list, entry: "lane", doc: "Ways of their own for side requests, tried in order; a request stays in the first that takes it.", of: &shape{kind: record, keys: []key{
				{name: "name", required: true, shape: &shape{doc: "Name of the lane, for messages."}},
				{name: "when", required: true, shape: matchShape("Which requests it takes.", true)},
				{name: "rules", shape: rules("Rules of the lane.")},
				{name: "default", shape: answer},
			}}}},
			{name: "rules", shape: rules("Rules of the main lane, tried in order; the first that matches answers.")},
			{name: "default", shape: answer},
			{name: "autopilot", shape: &shape{kind: number, doc: "Seed of an autopilot that answers what nothing else does."}},
			{name: "faults", shape: &shape{kind: list, entry: "fault", doc: "What goes wrong on purpose.", of: scriptFaultShape()}},
		}}
}

func ruleShape(answer *shape) *shape {
	return &shape{kind: record, doc: "One rule.", keys: []key{
		{name: "name", shape: &shape{doc: "Name of the rule, for messages."}},
		{name: "when", shape: matchShape("Which requests it answers; every one by default.", true)},
		{name: "expect", shape: matchShape("What such a request must hold besides; when it does not, the answer is an error that says so.", true)},
		{name: "answers", required: true, shape: &shape{kind: list, alone: true, entry: "answer", doc: "Answers, in the order of the requests that match. Behind the last the rule matches no more.", of: answer}},
		{name: "repeat", shape: &shape{kind: truth, doc: "The last answer repeats."}},
	}}
}

func matchShape(doc string, outer bool) *shape {
	textShape := func(doc string) *shape {
		return &shape{doc: doc, orMap: &shape{kind: record, anyOf: []string{"equals", "contains", "matches"}, keys: []key{
			{name: "equals", shape: &shape{doc: "The whole text."}},
			{name: "contains", shape: &shape{doc: "A part of it."}},
			{name: "matches", shape: &shape{doc: "A regular expression that finds something in it."}},
		}}}
	}
	count := func(doc string) *shape { return &shape{kind: number, least: 1, most: 999_999_999, doc: doc} }
	s := &shape{kind: record, doc: doc, keys: []key{
		{name: "model", shape: &shape{doc: "The model asked for; a pattern such as claude-haiku-* too."}},
		{name: "text", shape: textShape("A text block that the user wrote in the newest turn, tool results left out.")},
		{name: "system", shape: textShape("The system prompt.")},
		{name: "tools", shape: &shape{kind: list, doc: "Tools that are offered, under these or another harness's names.", of: &shape{}}},
		{name: "no_tools", shape: &shape{kind: yes, doc: "No tool is offered."}},
		{name: "result", shape: &shape{kind: record, doc: "The newest user message holds such a tool result.", keys: []key{
			{name: "of", shape: &shape{doc: "The tool that was called."}},
			{name: "id", shape: &shape{doc: "The id of the call."}},
			{name: "text", shape: textShape("The content of the result.")},
			{name: "error", shape: &shape{kind: truth, doc: "Whether is_error is set."}},
		}}},
		{name: "call", shape: count("Number of the request in its lane, from 1.")},
		{name: "round", shape: count("Number of the request in its turn: 1 behind the prompt, 2 behind one answer.")},
		{name: "max_tokens_from", shape: count("max_tokens is at least this.")},
		{name: "max_tokens_to", shape: count("max_tokens is at most this.")},
		{name: "stream", shape: &shape{kind: truth, doc: "Whether a stream is asked for."}},
	}}
	s.anyOf = names(s.keys)
	if outer {
		s.keys = append(s.keys, key{name: "not", shape: matchShape("What must not hold.", false)})
		s.anyOf = append(s.anyOf, "not")
	}
	return s
}

func scriptFaultShape() *shape {
	s := faultShape()
	s.keys = append(s.keys,
		key{name: "model", shape: &shape{doc: "Only requests for this model."}},
		key{name: "text", shape: &shape{doc: "Only requests whose newest user text holds this."}},
		key{name: "chance", shape: &shape{kind: fraction, doc: "Probability for each request, drawn from the seed."}},
	)
	for i := range s.keys {
		if s.keys[i].name == "call" {
			s.keys[i].shape = &shape{kind: number, least: 1, most: 999_999_999, doc: "Number among the requests that match otherwise, from 1; every one by default."}
		}
	}
	return s
}
