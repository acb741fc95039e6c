package sessionlog

import (
	"errors"
	"fmt"

	"harnessbench/internal/wire"
)

// ForkOptions say what becomes different in a copy of a chain.
type ForkOptions struct {
	Source   string        // session id of the log that is copied
	Session  string        // id of the copy
	Preserve bool          // log.fork=preserve: the entries keep their uuids (H-CMD-52)
	NewID    func() string // uuids of a remapped copy, in chain order
	Now      string        // timestamp of the last entry (H-CMD-51)
}

// Copy is a chain under another session's id.
type Copy struct {
	Lines []byte            // each with its line feed
	IDs   map[string]string // new uuids by the old ones

	above map[string]bool // entries whose copies stand in Lines already, by the old uuids
}

// ErrNothingToFork is the refusal to fork a path without entries.
var ErrNothingToFork = errors.New("fork: there is no conversation to copy")

// Fork copies the path of a leaf to a new session (H-CMD-50 to H-CMD-52, D6): no abandoned branch, no sidechain, no
// progress. Of each line only what names the session, the chain and the place of its writing is rewritten; every other
// byte, unknown fields included, stays (H-LOG-16, H-LOG-85). Records of replaced results and of entries left out on
// this path go along; snapshots of files do not. It is an error when an entry of the path was never in a file.
func Fork(l *Log, leaf string, opt ForkOptions) (Copy, error) {
	f := Copy{IDs: map[string]string{}, above: map[string]bool{}}
	path, _ := l.Path(leaf)
	var copied []*Entry
	for _, e := range path {
		if e.Sidechain || e.Type == Progress {
			continue
		}
		if e.Raw == nil {
			return f, fmt.Errorf("fork: entry %s was not read from a file", e.UUID)
		}
		copied = append(copied, e)
		f.IDs[e.UUID] = e.UUID
		if !opt.Preserve {
			f.IDs[e.UUID] = opt.NewID()
		}
	}
	if len(copied) == 0 {
		return f, ErrNothingToFork
	}
	for i, e := range copied {
		parent := ""
		if i > 0 {
			parent = f.parent(l, e, copied[i-1])
		}
		when := e.Time
		if i == len(copied)-1 && opt.Now != "" {
			when = opt.Now
		}
		line, err := f.entry(e, parent, when, opt)
		if err != nil {
			return f, err
		}
		f.Lines = append(append(f.Lines, line...), '\n')
		f.above[e.UUID] = true
	}
	for _, r := range l.Records {
		if line := f.record(r, opt); line != nil {
			f.Lines = append(append(f.Lines, line...), '\n')
		}
	}
	return f, nil
}

// parent is the uuid of the copy a copy hangs from: that of its parent, past progress, or of the entry before it on the
// path where the path did not follow the lines.
func (f *Copy) parent(l *Log, e, before *Entry) string {
	at := e.Parent
	for steps := 0; steps < len(l.Entries); steps++ {
		if to, ok := f.IDs[at]; ok && at != e.UUID {
			return to
		}
		p := l.byID[at]
		if p == nil || p.Type != Progress {
			break
		}
		at = p.Parent
	}
	return f.IDs[before.UUID]
}

// notCopied are members that a copy of an entry does without (H-CMD-51).
var notCopied = [...]string{"slug", "teamName", "agentName", "sourceToolAssistantUUID"}

// entry rewrites the line of an entry.
func (f *Copy) entry(e *Entry, parent, when string, opt ForkOptions) ([]byte, error) {
	v, err := wire.ParseValue(e.Raw)
	if err != nil {
		return nil, fmt.Errorf("fork: entry %s: %w", e.UUID, err)
	}
	from := line{}
	from.str("sessionId", opt.Source)
	from.str("messageUuid", e.UUID)
	up := line{}
	up.nullable("parentUuid", parent)
	splices := []wire.Splice{
		wire.SetMember(v, "uuid", Quote(f.IDs[e.UUID])),
		wire.SetMember(v, "parentUuid", up.buf[len(`{"parentUuid":`):]),
		wire.SetMember(v, "sessionId", Quote(opt.Session)),
		wire.SetMember(v, "forkedFrom", append(from.buf, '}')),
	}
	if when != e.Time {
		splices = append(splices, wire.SetMember(v, "timestamp", Quote(when)))
	}
	if to := f.IDs[e.Logical]; f.above[e.Logical] {
		splices = append(splices, wire.SetMember(v, "logicalParentUuid", Quote(to)))
	}
	splices = append(splices, f.names(v.Get("compactMetadata"))...)
	splices = append(splices, f.names(v.Get("microcompactMetadata"))...)
	raw := wire.Apply(e.Raw, splices...)
	drop := notCopied[:]
	if !f.above[e.Logical] { // not copied, or kept by a compaction and so further down in the copy
		drop = append([]string{"logicalParentUuid"}, drop...)
	}
	for _, name := range drop {
		if !v.Get(name).Exists() {
			continue
		}
		now, err := wire.ParseValue(raw)
		if err != nil {
			return nil, fmt.Errorf("fork: entry %s: %w", e.UUID, err)
		}
		raw = wire.Apply(raw, wire.RemoveMember(now, name))
	}
	return raw, nil
}

// names gives the copies' uuids to what names entries inside metadata or a record.
func (f *Copy) names(v wire.Value) []wire.Splice {
	var out []wire.Splice
	rename := func(u wire.Value) {
		if to, ok := f.IDs[u.Text()]; ok && u.Kind() == '"' {
			out = append(out, wire.Replace(u, Quote(to)))
		}
	}
	for _, kept := range []string{"preservedSegment", "preservedMessages"} {
		for _, end := range []string{"headUuid", "anchorUuid", "tailUuid"} {
			rename(v.Get(kept).Get(end))
		}
		for _, u := range v.Get(kept).Get("uuids").Elems() {
			rename(u)
		}
	}
	rename(v.Get("leafUuid"))
	for _, list := range []string{"clearedAttachmentUUIDs", "removedImageUUIDs", "removedUuids", "spanUuids"} {
		for _, u := range v.Get(list).Elems() {
			rename(u)
		}
	}
	return out
}

// record is a side record as the fork has it, nil for one that stays behind.
func (f *Copy) record(r Record, opt ForkOptions) []byte {
	switch r.Type {
	case contentReplacement, snipRecord, collapseCommit:
	default:
		return nil
	}
	v, err := wire.ParseValue(r.Raw)
	if err != nil || v.Get("agentId").Text() != "" {
		return nil
	}
	if leaf := v.Get("leafUuid").Text(); leaf != "" && !f.above[leaf] {
		return nil // made on another branch
	}
	splices := f.names(v)
	if r.Type != contentReplacement && len(splices) == 0 {
		return nil // it is about entries that are not copied
	}
	return wire.Apply(r.Raw, append(splices, wire.SetMember(v, "sessionId", Quote(opt.Session)))...)
}
