package invariant

import "fmt"

// thinkingChecks is the family of thinking blocks (invariants.md 3, THINK).
func thinkingChecks() []check {
	return []check{
		{
			Info: Info{ID: "THINK-1", Level: H, Engines: anyEngine, Source: "invariants.md THINK-1, D11; messages-api.md 6.5",
				Sentence: "While a turn is open, a request that carries an answer made in it carries the thinking of that answer too, byte for byte; thinking at its end, which cannot be sent back, may be left out, and all of it once another model takes the turn over, the server refuses it, or on a bound model a summary takes the place of what it was made behind.",
				Mutants:  []string{"thinking-dropped-in-open-turn", "thinking-altered"}},
			idle: "no request followed thinking inside a turn", begin: func() observer { return think1{} },
		},
		{
			Info: Info{ID: "THINK-2", Level: H, Engines: anyEngine, Source: "invariants.md THINK-2; messages-api.md 6.5, 6.6",
				Sentence: "Every thinking block sent is one the server issued in full, unaltered, and one the model asked may read.",
				Mutants:  []string{"signature-forged", "thinking-altered"}},
			idle: "no request held thinking issued in this stream", begin: func() observer { return think2{} },
		},
		{
			Info: Info{ID: "THINK-5", Level: H, Engines: ownHarness, Source: "invariants.md THINK-5; messages-api.md 6.5",
				Sentence: "A request beside the conversation, for a summary or with a question, carries of each turn all thinking that the newest main request and its answer held, or none.",
				Mutants:  []string{"half-of-thinking-in-summary"}},
			idle: "no request beside a conversation followed thinking", begin: func() observer { return &think5{} },
		},
		{
			Info: Info{ID: "THINK-6", Level: H, Engines: anyEngine, Source: "invariants.md THINK-6, D1; messages-api.md 6.6",
				Sentence: "On bound models each thinking block stands behind exactly the conversation it was made in, and between two thinking blocks none is missing.",
				Mutants:  []string{"middle-thinking-dropped", "system-edited-on-bound"}},
			idle: "no request to a bound model held thinking issued in this stream", begin: func() observer { return think6{} },
		},
	}
}

type think2 struct{}

func (think2) see(m *moment, t *tally) {
	if m.Request == nil || m.call == nil {
		return
	}
	c, judged := m.call, false
	for i, msg := range c.chain.conv.msgs {
		for _, th := range msg.thinking {
			if th.key == "" {
				judged = true
				t.broken(fmt.Sprintf("unsigned %x", th.fields), c.at(i, th.index)+": thinking without a signature", "the server signs every thinking block it makes")
				continue
			}
			made := m.reading.thoughts.find(th)
			if made == nil && m.reading.thoughts.foreign[th.key] {
				continue
			}
			judged = true
			switch {
			case made == nil:
				t.broken("forged "+th.key, fmt.Sprintf("%s: thinking with %s", c.at(i, th.index), short(th.key)), "no answer of this stream issued it in full")
			case made.fields != th.fields:
				t.broken(fmt.Sprintf("altered %x", th.fields), fmt.Sprintf("%s: thinking with %s, other bytes", c.at(i, th.index), short(th.key)), made.String())
			case !c.model.ReadsThinkingOf(made.model):
				t.broken("unread "+th.key+c.model.ID, fmt.Sprintf("%s: thinking sent to %s, which cannot read it", c.at(i, th.index), c.model.ID), made.String())
			}
		}
	}
	if judged {
		t.occasion()
	}
}

// short cuts a key to what a person compares.
func short(key string) string {
	const n = 32
	if len(key) <= n {
		return key
	}
	return key[:n] + "…"
}

type think6 struct{}

func (think6) see(m *moment, t *tally) {
	if m.Request == nil || m.call == nil || !m.call.tested {
		return
	}
	t.occasion()
	for _, l := range m.call.loose {
		t.broken(l.key, l.fact, l.other)
	}
}
