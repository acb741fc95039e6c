package fault

import "time"

// Defaults of slow faults: beyond every client's patience of five minutes.
const (
	silenceFor = 10 * time.Minute
	pingEvery  = 10 * time.Second
	timeoutFor = time.Minute
	maxPieces  = 10_000 // of a slow fault
)

func orElse(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

func silence(c *context) bool {
	i, n, ok := c.pos.in(c.a)
	if !ok {
		return false
	}
	if n > 0 {
		f := c.a.Frames[i]
		c.a.replace(i, Frame{f.After, f.Data[:n]}, Frame{f.After, f.Data[n:]})
		i++
	}
	if c.pos.word == "after_headers" && len(c.a.Frames) > 0 { // the headers leave with a frame of no bytes
		c.a.insert(0, Frame{After: c.a.at(0)})
		i = 1
	}
	c.a.wait(i, orElse(c.For, silenceFor))
	return true
}

var pingData = []byte(`{"type": "ping"}`)

func pings(c *context) bool { return c.fill("ping", pingData) }

func statuses(c *context) bool {
	return c.fill("status", []byte(`{"type":"status","status":"working"}`))
}

// fill sends one event over and over where otherwise silence would be.
func (c *context) fill(name string, data []byte) bool {
	i, ok := c.pos.place(c.a)
	if !ok {
		return false
	}
	every, lasts := orElse(c.Every, pingEvery), orElse(c.For, silenceFor)
	for n := 0; n < maxPieces && every <= lasts; n++ {
		c.a.insert(i, Frame{c.a.at(i), frame(name, data)})
		c.a.wait(i, every)
		lasts -= every
		i++
	}
	c.a.wait(i, lasts)
	return true
}

func drip(c *context) bool {
	i, n, ok := c.pos.in(c.a)
	if !ok {
		return false
	}
	var out []Frame
	for j, f := range c.a.Frames {
		from := 0
		if j == i {
			from = n
		}
		if j < i {
			out = append(out, f)
			continue
		}
		if from > 0 {
			out = append(out, Frame{f.After, f.Data[:from]})
		}
		for k := from; k < len(f.Data); k++ {
			out = append(out, Frame{f.After, f.Data[k : k+1 : k+1]})
		}
	}
	c.a.Frames, c.a.Pauses = out, nil
	if c.Every > 0 {
		for j := i + 1; j < len(out); j++ {
			out[j].After += time.Duration(j-i) * c.Every
			c.a.Pauses = append(c.a.Pauses, Pause{j, c.Every})
		}
	}
	return true
}

func held(c *context) bool {
	i, ok := c.pos.place(c.a)
	if !ok || len(c.a.Frames) == 0 {
		return false
	}
	var rest []byte
	last := c.a.at(len(c.a.Frames))
	for _, f := range c.a.Frames[i:] {
		rest = append(rest, f.Data...)
	}
	c.a.truncate(i, 0)
	c.a.Frames = append(c.a.Frames[:i:i], Frame{last, rest})
	return true
}
