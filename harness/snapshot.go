package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"
	"unicode/utf8"

	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/tool"
	"harnessbench/harness/world"
)

// snapshot is what stands before the conversation in every request: not in the log, made from disk and
// clock, the same bytes for as long as it is in force (H-REB-40 to H-REB-44).
type snapshot struct {
	system [][]byte // static core, environment: text blocks
	tools  []byte
	head   []byte // block of memory and date
	memory string // text of the memory file, "" for none
	date   string
	taken  time.Time
}

// memoryFile is the project's memory.
func (s *Session) memoryFile() string { return path.Join(s.cfg.Cwd, "CLAUDE.md") }

func (s *Session) snapshot(w world.World) (snapshot, error) {
	memory, err := w.ReadFile(s.memoryFile())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		memory = nil
	case err != nil:
		return snapshot{}, fmt.Errorf("memory file %s: %w", s.memoryFile(), err)
	case !utf8.Valid(memory):
		return snapshot{}, fmt.Errorf("memory file %s: it is no UTF-8 text", s.memoryFile())
	}
	now := w.Now()
	date := inject.Date(now)
	return snapshot{
		system: [][]byte{rebuild.TextBlock(staticPrompt), rebuild.TextBlock(environment(s.cfg.Cwd, date))},
		tools:  tool.Definitions(),
		head:   rebuild.TextBlock(inject.Head(s.memoryFile(), string(memory), date)),
		memory: string(memory),
		date:   date,
		taken:  now,
	}, nil
}
