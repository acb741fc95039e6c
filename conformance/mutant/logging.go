package mutant

import (
	"bytes"
	"regexp"

	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

var parent = regexp.MustCompile(`"parentUuid":("[^"]*"|null)`)

// is tells what a log line holds.
func is(line []byte, what string) bool { return bytes.Contains(line, []byte(what)) }

// isPrompt tells a typed prompt from results and notices: its content is a string (H-LOG-20).
func isPrompt(line []byte) bool {
	return is(line, `"type":"user"`) && is(line, `"content":"`) && !is(line, `"content":[`)
}

// parentUnknown chains an answer to an entry that does not exist.
func parentUnknown(s *state, w world.World, path string, line []byte) error {
	if is(line, `"type":"assistant"`) && s.saved == nil {
		s.saved = []byte("done")
		line = parent.ReplaceAll(line, []byte(`"parentUuid":"00000000-0000-4000-8000-000000000000"`))
	}
	return w.Append(path, line)
}

// parentNullAfterResume begins a new root with the first entry of a later process.
func parentNullAfterResume(s *state, w world.World, path string, line []byte) error {
	if s.process > 1 && isPrompt(line) && s.saved == nil {
		s.saved = []byte("done")
		line = parent.ReplaceAll(line, []byte(`"parentUuid":null`))
	}
	return w.Append(path, line)
}

// sentBeforeLogged hands a prompt to the log only after its request has left.
func sentBeforeLogged(s *state, w world.World, path string, line []byte) error {
	if isPrompt(line) {
		s.held, s.heldPath = append(s.held, bytes.Clone(line)), path
		return nil
	}
	if len(s.held) > 0 {
		s.held = append(s.held, bytes.Clone(line))
		return nil
	}
	return w.Append(path, line)
}

// entryNeverLogged swallows the first text of the model.
func entryNeverLogged(s *state, w world.World, path string, line []byte) error {
	if is(line, `"type":"assistant"`) && is(line, `"type":"text"`) && s.saved == nil {
		s.saved = []byte("done")
		return nil
	}
	return w.Append(path, line)
}

// logRewritten edits an earlier line in place.
func logRewritten(s *state, w world.World, path string, line []byte) error {
	if err := w.Append(path, line); err != nil || s.writes != 4 {
		return err
	}
	all, err := w.ReadFile(path)
	if err != nil {
		return err
	}
	return w.Replace(path, bytes.Replace(all, []byte(`"userType":"external"`), []byte(`"userType":"internal"`), 1))
}

// logTruncated cuts the abandoned branch off when a rewind is recorded.
func logTruncated(s *state, w world.World, path string, line []byte) error {
	if is(line, `"type":"last-prompt"`) && is(line, `"explicit":true`) {
		all, err := w.ReadFile(path)
		if err != nil {
			return err
		}
		cut := bytes.LastIndexByte(all[:len(all)-1], '\n') + 1
		if err := w.Replace(path, all[:cut]); err != nil {
			return err
		}
	}
	return w.Append(path, line)
}

// rewindWrongParent chains the prompt after a rewind to the abandoned leaf.
func rewindWrongParent(s *state, w world.World, path string, line []byte) error {
	if is(line, `"type":"assistant"`) {
		if m := regexp.MustCompile(`"uuid":"([^"]*)"`).FindSubmatch(line); m != nil {
			s.saved = bytes.Clone(m[1])
		}
	}
	if s.rewound && isPrompt(line) && s.saved != nil {
		line = parent.ReplaceAll(line, []byte(`"parentUuid":"`+string(s.saved)+`"`))
	}
	return w.Append(path, line)
}

// rewindLeaksBranch sends the abandoned turn along with the prompt that follows the rewind.
func rewindLeaksBranch(s *state, r *wire.Request) []byte {
	if s.rewound && s.last != nil {
		s.saved = nil
		for _, m := range s.last.Messages()[len(r.Messages())-1:] {
			if m.Role() != "system" {
				s.saved = append(append(s.saved, unmarkedMessage(m)...), ',')
			}
		}
		s.saved = append(s.saved, `{"role":"assistant","content":[{"type":"text","text":"Fixed."}]},`...)
	}
	if s.saved == nil || len(r.Messages()) == 0 {
		return nil
	}
	last := r.Messages()[len(r.Messages())-1]
	return wire.Apply(r.Body, wire.Splice{Start: last.Offset(), End: last.Offset(), With: s.saved})
}

// unmarkedMessage is a message without cache_control on its blocks.
func unmarkedMessage(m wire.Message) []byte {
	var list [][]byte
	for _, b := range m.Blocks() {
		list = append(list, unmarked(b.Raw()))
	}
	return append(append([]byte(`{"role":"`+m.Role()+`","content":`), array(list)...), '}')
}

// abandonedLeaf continues the branch that was left, as if the newest entry of the file were the leaf.
func abandonedLeaf(s *state, r *wire.Request) []byte {
	if s.process < 2 || s.saved == nil {
		if n := len(r.Messages()); n > 1 {
			s.saved = append(unmarkedMessage(r.Messages()[n-1]), `,{"role":"assistant","content":[{"type":"text","text":"The berry of the yew."}]},`...)
		}
		return nil
	}
	last := r.Messages()[len(r.Messages())-1]
	return wire.Apply(r.Body, wire.Splice{Start: last.Offset(), End: last.Offset(), With: s.saved})
}
