package sessionlog

import "strconv"

// Side records of state: the last of each kind in a file holds (H-LOG-70).
const (
	customTitle    = "custom-title"
	aiTitle        = "ai-title"
	permissionMode = "permission-mode"
	modelState     = "model-state"
	fileSnapshot   = "file-history-snapshot"
)

// CustomTitle is the record of a title that the user gave.
func CustomTitle(session, title string) []byte {
	return record(customTitle, session, "customTitle", title)
}

// PermissionMode is the record of a change of the permission mode.
func PermissionMode(session, mode string) []byte {
	return record(permissionMode, session, "permissionMode", mode)
}

// ModelState is the record of the model in use; effort "" is the model's own.
func ModelState(session, model, effort string) []byte {
	return record(modelState, session, "model", model, "effort", effort)
}

// record is a side record of string fields, the session last; empty ones are left out.
func record(typ, session string, fields ...string) []byte {
	l := line{}
	l.str("type", typ)
	for i := 0; i < len(fields); i += 2 {
		if fields[i+1] != "" {
			l.str(fields[i], fields[i+1])
		}
	}
	l.str("sessionId", session)
	return append(l.buf, "}\n"...)
}

// Snapshot is what was kept of the tracked files when a prompt came, or when one of them was first edited in its turn
// (H-LOG-60, H-LOG-61). Prompt is the uuid of the prompt's entry, in a namespace of its own (H-LOG-65).
type Snapshot struct {
	Prompt string
	Update bool   // within the turn
	Time   string // ISO 8601 with milliseconds
	Files  []Backup
}

// Backup is one version of a file. Path is relative to the project directory when inside it, absolute otherwise
// (H-LOG-64). Name is that of the backup file, "" when the file did not exist (H-LOG-62, H-LOG-63).
type Backup struct {
	Path    string
	Name    string
	Version int // of this path, from 1
	Time    string
}

// Encode writes the snapshot as one line with its line feed.
func (s *Snapshot) Encode() []byte {
	files := line{}
	for i := range s.Files {
		b := &s.Files[i]
		f := line{}
		f.nullable("backupFileName", b.Name)
		f.raw("version", strconv.AppendInt(nil, int64(b.Version), 10))
		if b.Time != "" {
			f.str("backupTime", b.Time)
		}
		files.quoted(b.Path, append(f.buf, '}'))
	}
	if files.buf == nil {
		files.buf = []byte{'{'}
	}
	in := line{}
	in.str("messageId", s.Prompt)
	in.str("timestamp", s.Time)
	in.raw("trackedFileBackups", append(files.buf, '}'))
	l := line{}
	l.str("type", fileSnapshot)
	l.str("messageId", s.Prompt)
	l.flag("isSnapshotUpdate", s.Update)
	l.raw("snapshot", append(in.buf, '}'))
	return append(l.buf, "}\n"...)
}

// quoted is raw with a name that may hold anything.
func (l *line) quoted(name string, value []byte) {
	if len(l.buf) == 0 {
		l.buf = append(l.buf, '{')
	} else {
		l.buf = append(l.buf, ',')
	}
	l.buf = append(append(quote(l.buf, name), ':'), value...)
}

// Encode writes a record for each part of the state that is set, for a file that begins with it.
func (s State) Encode(session string) []byte {
	var lines []byte
	if s.Title != "" {
		lines = append(lines, CustomTitle(session, s.Title)...)
	}
	if s.AITitle != "" {
		lines = append(lines, record(aiTitle, session, "aiTitle", s.AITitle)...)
	}
	if s.Mode != "" {
		lines = append(lines, PermissionMode(session, s.Mode)...)
	}
	if s.Model != "" {
		lines = append(lines, ModelState(session, s.Model, s.Effort)...)
	}
	return lines
}
