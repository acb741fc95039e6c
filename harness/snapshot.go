package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/world"
)

// snapshot is what stands before the conversation in every request: not in the log, made from disk and
// clock at the start, a resume, /clear and a compaction, the same bytes for as long as it is in force, whatever
// happens on disk (H-REB-40 to H-REB-44).
type snapshot struct {
	system [][]byte // static core, dynamic part: text blocks
	tools  []byte
	head   []byte // block of memory and date
	memory string // text of the memory files, "" for none
	date   string
	taken  time.Time
}

// memoryFile is the project's memory.
func (s *Session) memoryFile() string { return path.Join(s.cfg.Cwd, "CLAUDE.md") }

func (s *Session) snapshot(w world.World) (snapshot, error) {
	memory, err := s.readMemory(w)
	if err != nil {
		return snapshot{}, err
	}
	git, err := gitStatus(w, s.cfg.Cwd)
	if err != nil {
		return snapshot{}, err
	}
	now := w.Now()
	date := inject.Date(now)
	return snapshot{
		system: [][]byte{rebuild.TextBlock(staticPrompt), rebuild.TextBlock(dynamicPrompt(s.cfg, date, git))},
		tools:  s.offered().Definitions(),
		head:   rebuild.TextBlock(inject.Head(memory, date)),
		memory: memory,
		date:   date,
		taken:  now,
	}, nil
}

// reloaded is the snapshot behind a compaction: memory is loaded afresh, and the date is today's (H-CMP-71). Tools and system
// are those in force, byte for byte, whatever day or state of the repository it is by now: their cache entry is hit
// (H-CMP-70).
func (s *Session) reloaded(w world.World) (snapshot, error) {
	memory, err := s.readMemory(w)
	if err != nil {
		return snapshot{}, err
	}
	now := w.Now()
	date := inject.Date(now)
	return snapshot{
		system: s.force.system,
		tools:  s.force.tools,
		head:   rebuild.TextBlock(inject.Head(memory, date)),
		memory: memory,
		date:   date,
		taken:  now,
	}, nil
}

// readMemory reads the chain of memory files, from the user's to the project's (H-REB-43, H-EXT-30).
func (s *Session) readMemory(w world.World) (string, error) {
	chain := []inject.MemoryFile{
		{Path: path.Join(s.cfg.ConfigDir, "CLAUDE.md"), User: true},
		{Path: s.memoryFile()},
	}
	for i := range chain {
		f := &chain[i]
		text, err := w.ReadFile(f.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", fmt.Errorf("memory file %s: %w", f.Path, err)
		case !utf8.Valid(text):
			return "", fmt.Errorf("memory file %s: it is no UTF-8 text", f.Path)
		}
		f.Text = string(text)
	}
	return inject.Memory(chain), nil
}

// remembers tells that the memory in force on the path shows the project's memory file with this text.
func (s *Session) remembers(text string) bool {
	part := inject.Memory([]inject.MemoryFile{{Path: s.memoryFile(), Text: text}})
	return part != "" && (s.memory == part || strings.HasSuffix(s.memory, "\n\n"+part))
}
