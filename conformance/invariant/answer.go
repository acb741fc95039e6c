package invariant

import (
	"bytes"
	"errors"

	"harnessbench/conformance/trace"
	"harnessbench/internal/wire"
)

// answer is a response as the judge itself puts it together.
type answer struct {
	*wire.Answer
	accepted bool // status 200, the grammar held, and the end was delivered
}

// assemble reads the body of a response. What a cut body still holds is kept: its completed blocks.
func assemble(r *trace.Response) answer {
	if r.Status != 200 {
		return answer{Answer: &wire.Answer{}}
	}
	if body := bytes.TrimLeft(r.Body, " \t\r\n"); len(body) > 0 && body[0] == '{' {
		a, err := wire.ParseAnswer(r.Body)
		if err != nil {
			return answer{Answer: &wire.Answer{}}
		}
		return answer{Answer: a, accepted: a.Complete}
	}
	var sse wire.SSE
	var asm wire.Assembler
	sound := true
	for _, e := range sse.Feed(r.Body) {
		err := asm.Event(e)
		var cut *wire.InputError // a tool call cut by max_tokens; the stream goes on
		sound = sound && (err == nil || errors.As(err, &cut))
	}
	a := asm.Answer()
	return answer{Answer: a, accepted: a.Complete && sound}
}
