package sessionlog

import "harnessbench/internal/wire"

// State is what the side records of a file say last (H-LOG-70); "" where they say nothing.
type State struct {
	Title   string // given by the user
	AITitle string // generated
	Mode    string // permission mode
	Model   string
	Effort  string
}

// state takes a side record of state or a snapshot of files; any other changes nothing.
func (l *Log) state(v wire.Value) {
	switch v.Get("type").Text() {
	case customTitle:
		l.State.Title = v.Get("customTitle").Text()
	case aiTitle:
		l.State.AITitle = v.Get("aiTitle").Text()
	case permissionMode:
		l.State.Mode = v.Get("permissionMode").Text()
	case modelState:
		l.State.Model, l.State.Effort = v.Get("model").Text(), v.Get("effort").Text()
	case fileSnapshot:
		if s, ok := parseSnapshot(v); ok {
			l.Snapshots = append(l.Snapshots, s)
		}
	}
}

// parseSnapshot reads a snapshot record; ok is false when it names no prompt. A backup without a version counts as
// the first.
func parseSnapshot(v wire.Value) (s Snapshot, ok bool) {
	in := v.Get("snapshot")
	s = Snapshot{Prompt: v.Get("messageId").Text(), Update: flag(v, "isSnapshotUpdate"), Time: in.Get("timestamp").Text()}
	if s.Prompt == "" {
		s.Prompt = in.Get("messageId").Text()
	}
	for path, b := range in.Get("trackedFileBackups").Members() {
		name := b.Get("backupFileName")
		if !name.IsNull() && name.Text() == "" {
			continue // it does not say what to restore; deleting takes an explicit null
		}
		n, _ := b.Get("version").Int()
		s.Files = append(s.Files, Backup{
			Path:    path,
			Name:    name.Text(),
			Version: max(1, int(n)),
			Time:    b.Get("backupTime").Text(),
		})
	}
	return s, s.Prompt != ""
}
