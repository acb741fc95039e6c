package rebuild

import "harnessbench/harness/sessionlog"

// Exchange is a question asked beside the conversation, and its answer.
type Exchange struct{ Question, Answer string }

// Aside is a request that goes on from the conversation without being part of it: the messages as they stand, earlier
// exchanges, then text blocks of the user (H-CMD-60, H-CMD-64, H-CMP-46). Its markers are those of the conversation,
// so it reads what the conversation has written; what is added bears none (H-CMD-63). Behind a user message the blocks
// join that message, and a system message at its end is left out (H-REB-12, H-REB-59). Behind an answer the server paused
// in, its open call is left out too, since the user speaks (H-REB-33). Nothing may be added to the conversation afterwards.
func (c *Conversation) Aside(f Front, v Volatile, earlier []Exchange, texts ...string) []byte {
	c.giveUp()
	c.replay()
	if c.stop == "pause_turn" {
		c.stop = ""
	}
	open := len(c.normal()) == 0 && (len(c.user.calls) > 0 || len(c.user.rest) > 0)
	if open {
		c.system = nil
	}
	return goOn(c.Body(f, v), open, earlier, texts)
}

// goOn adds exchanges and texts of the user to the messages of a request; open tells that they end with the user's.
func goOn(body []byte, open bool, earlier []Exchange, texts []string) []byte {
	body = body[:len(body)-len("]}")]
	for _, e := range earlier {
		body = userTexts(body, open, []string{e.Question})
		body = append(append(append(body, `,{"role":"assistant","content":[`...), TextBlock(e.Answer)...), "]}"...)
		open = false
	}
	body = userTexts(body, open, texts)
	return append(body, "]}"...)
}

// ForgetTurn leaves out the thinking of the newest turn, as a conversation does that has gone on with further turns: what is
// asked about its begin then holds what it holds (H-LOOP-54, H-CMP-46).
func (c *Conversation) ForgetTurn() {
	if c.turn > 0 {
		learn(c, c.stripped, c.turn)
		c.replay()
	}
}

// EndTurn ends the newest turn for something asked behind it: volatile text that stood in its prompt, or moved along, is
// then gone, and with it the thinking that a model made behind it and would check (D1).
func (c *Conversation) EndTurn() {
	if c.opt.Bound && !c.opt.KeepThinking && c.volatile != "" {
		learn(c, c.stripped, c.turn)
		c.replay()
	}
}

// userTexts adds text blocks to the user message that ends the array of messages, or as one of their own.
func userTexts(body []byte, open bool, texts []string) []byte {
	if open {
		body = append(body[:len(body)-len("]}")], ',')
	} else {
		if body[len(body)-1] != '[' {
			body = append(body, ',')
		}
		body = append(body, `{"role":"user","content":[`...)
	}
	for i, text := range texts {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, textBlock(sessionlog.Quote(text))...)
	}
	return append(body, "]}"...)
}
