package harness

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"unicode/utf8"

	"harnessbench/harness/compact"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/harness/world"
)

// Restorer is a part of the harness that has something to bring back when a conversation is compacted (H-CMP-72,
// H-CMP-73, H-CMP-77). It is asked once for each compaction, after the summary came; an error makes the compaction fail.
type Restorer interface {
	Restore(w world.World) (compact.Material, error)
}

// restoration is what stands behind a new summary, beside entries that are kept: what the restorers have, and the files
// read last (H-CMP-45).
func (s *Session) restoration(w world.World, kept []*sessionlog.Entry) ([]sessionlog.Attach, error) {
	var all compact.Material
	for _, r := range s.cfg.Restorers {
		m, err := r.Restore(w)
		if err != nil {
			return nil, err
		}
		all.Announced = append(all.Announced, m.Announced...)
		all.Started = append(all.Started, m.Started...)
		all.Skills = append(all.Skills, m.Skills...)
		if m.Plan != nil {
			all.Plan = m.Plan
		}
	}
	limits := s.limits().Restore
	skip := map[string]bool{s.memoryFile(): true, path.Join(s.cfg.ConfigDir, "CLAUDE.md"): true}
	if all.Plan != nil {
		skip[all.Plan.Path] = true
	}
	for _, name := range s.shownIn(kept) {
		skip[name] = true
	}
	return limits.Restored(all, s.lastRead(w, skip, limits.Files)), nil
}

// lastRead gives the files of the path that were read or written last, the newest first, with what a Read shows of them
// now. One that is gone, or no text, is passed over (H-CMP-73).
func (s *Session) lastRead(w world.World, skip map[string]bool, most int) (files []compact.File) {
	for _, name := range s.filesByRead() {
		if skip[name] {
			continue
		}
		if len(files) == most {
			break
		}
		if data, err := w.ReadFile(name); err == nil && utf8.Valid(data) {
			files = append(files, compact.File{Path: name, Shown: tool.Whole(tool.Text(data))})
		}
	}
	return files
}

// filesByRead gives the files that the path tells of, the newest first: those of results, then those that an earlier
// compaction brought back.
func (s *Session) filesByRead() (names []string) {
	read := s.reading().files
	names = slices.Sorted(maps.Keys(read))
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(read[b].last, read[a].last) })
	entries, _ := s.log.Path(s.leaf)
	for _, e := range entries {
		if name := restoredFile(e); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// restoredFile is the file that an attachment shows or names, "" for none.
func restoredFile(e *sessionlog.Entry) string {
	if e.Type == sessionlog.Attachment && (e.Attach.Type == compact.FileShown || e.Attach.Type == compact.FileReference) {
		return e.Attach.Content
	}
	return ""
}

// shownIn gives the files that entries show.
func (s *Session) shownIn(entries []*sessionlog.Entry) (names []string) {
	if len(entries) == 0 {
		return nil
	}
	shown := s.readStateOf(entries)
	for name, f := range shown.files { // any order: it fills a set
		if f.whole != nil || f.part != nil {
			names = append(names, name)
		}
	}
	for _, e := range entries {
		if e.Attach.Type == compact.FileShown {
			names = append(names, e.Attach.Content)
		}
	}
	return names
}
