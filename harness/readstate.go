package harness

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"time"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// readState is what the model was shown of files by results that stand on the path (H-TOOL-13). It is a fold over the
// entries of the path and of nothing else, so that a rewind, a resume and a compaction recompute it (H-CMD-34,
// H-TOOL-14). Times of files are compared with those of entries, in milliseconds.
type readState struct {
	files map[string]*fileState
	calls map[string]openCall // tool calls of the path by id
	// pictured are the calls whose results show images, by the entry of the result.
	pictured map[string]string

	told    int                   // results that told of a file
	decided *sessionlog.Decisions // results that others stand for, entries that are left out
	command tool.Earlier          // of a rerun
	cwd     string                // where relative names in commands begin
}

type openCall struct {
	name  string
	input []byte
}

// fileState is what is known of one file.
type fileState struct {
	views map[span]view // by what was asked for
	whole *view         // the newest view of the whole content, also one that the model wrote itself
	part  *view         // the newest view of something less
	last  int           // number of the newest result that told of it, also one that was cleared since
}

// span is the range of a Read: first line and number of lines, 0 for all.
type span struct{ from, n int }

// view is one result that shows a file, or a part of it.
type view struct {
	hash   [sha256.Size]byte
	known  bool // hash is that of the file, not only that something of it was shown
	at     time.Time
	result string // id of the call
}

// reading is the read state of the path. It is made when a tool first asks for it and kept up by append; stand drops it.
func (s *Session) reading() *readState {
	if s.reads == nil {
		path, _ := s.log.Path(s.leaf)
		s.reads = s.readStateOf(path)
	}
	return s.reads
}

// readStateOf is what entries of the path show.
func (s *Session) readStateOf(entries []*sessionlog.Entry) *readState {
	r := &readState{
		files: map[string]*fileState{}, calls: map[string]openCall{}, pictured: map[string]string{},
		decided: &s.log.Decisions, command: s.command, cwd: s.cfg.Cwd,
	}
	for _, e := range entries {
		r.add(e)
	}
	return r
}

// add takes the next entry of the path. Results that are no longer in the payload show nothing (H-TOOL-14); that they told
// of a file is known still (H-CMP-73).
func (r *readState) add(e *sessionlog.Entry) {
	for _, call := range e.Compacted() {
		r.forget(call)
	}
	for _, uuid := range e.WithoutImages() {
		if call, ok := r.pictured[uuid]; ok {
			r.forget(call)
		}
	}
	if e.Sidechain {
		return
	}
	if condensedBy(e) { // all that was shown before is gone (H-CMP-83)
		for _, f := range r.files { // any order: each by itself
			f.views, f.whole, f.part = map[span]view{}, nil, nil
		}
	}
	for i := range e.Message.Blocks {
		switch b := &e.Message.Blocks[i]; {
		case e.Type == sessionlog.Assistant && b.Type == "tool_use":
			r.calls[b.ID] = openCall{b.Name, b.Input}
		case e.Type == sessionlog.User && b.Type == "tool_result":
			call, ok := r.calls[b.ID]
			block, err := wire.ParseValue(b.Raw)
			if failed, _ := block.Get("is_error").Bool(); !ok || failed || err != nil {
				continue
			}
			at, _ := time.Parse(time.RFC3339, e.Time)
			r.result(tool.Logged().Check(b.ID, call.name, call.input, r.command), e.Result, block.Get("content"), at)
			if images(e, nil) > 0 {
				r.pictured[e.UUID] = b.ID
			}
			if r.decided.Replaced[b.ID] != nil || r.decided.Hides(e.UUID) {
				r.forget(b.ID)
			}
		}
	}
}

// result takes a successful result: structured is its toolUseResult, content what the model got.
func (r *readState) result(c tool.Call, structured []byte, content wire.Value, at time.Time) {
	v, err := wire.ParseValue(structured)
	if err != nil {
		v = wire.Value{}
	}
	switch c.Name {
	case tool.ReadName:
		r.shown(&c, v, content, at)
	case tool.WriteName:
		r.written(&c, view{hash: sum(c.Content), known: true, at: at})
	case tool.EditName:
		after, known := view{at: at}, false
		if before := v.Get("originalFile"); before.Kind() == '"' {
			var text, fault string
			text, fault = c.Edited(before.Text(), false)
			after.hash, known = sum(text), fault == ""
		}
		after.known = known
		r.written(&c, after)
	case tool.BashName:
		r.printed(&c, v, at)
	}
}

// shown takes a result of Read. Older logs have the members of file beside type, or no structured result at all; of
// those only that lines were shown is known (H-TOOL-10).
func (r *readState) shown(c *tool.Call, v, content wire.Value, at time.Time) {
	in := v.Get("file")
	if !in.Exists() {
		in = v
	}
	now := view{known: true, at: at, result: c.ID}
	whole := !c.Ranged()
	switch v.Get("type").Text() {
	case "text":
		text := in.Get("content").Text()
		now.hash = sum(text)
		lines, _ := in.Get("numLines").Int()
		total, _ := in.Get("totalLines").Int()
		if text == "" && total > 0 {
			return // beyond the end
		}
		whole = whole && lines == total
	case "image":
		data, err := base64.StdEncoding.DecodeString(in.Get("base64").Text())
		if err != nil {
			return
		}
		now.hash = sum(string(data))
	case "":
		if !numbered.MatchString(content.Text()) {
			return
		}
		now.known = false
	default: // such as file_unchanged, which shows nothing new
		if r.files[c.Path] != nil {
			r.file(c.Path)
		}
		return
	}
	f := r.file(c.Path)
	if now.known {
		f.views[span{c.From, c.N}] = now
	}
	if whole {
		f.whole = &now
	} else {
		f.part = &now
	}
}

// written takes a write of the model's own: what was shown before no longer holds, what was written is known (H-TOOL-22).
func (r *readState) written(c *tool.Call, now view) {
	f := r.file(c.Path)
	f.views, f.part, f.whole = map[span]view{}, nil, &now
}

// printed takes a Bash command that shows one file (H-TOOL-23): cat without options shows the whole of it. The log does
// not say in which directory a command ran; a relative name is taken as the project's.
func (r *readState) printed(c *tool.Call, v wire.Value, at time.Time) {
	file, whole := c.Shows()
	if file == "" || v.Get("persistedOutputPath").Exists() || v.Get("backgroundTaskId").Exists() {
		return
	}
	if !path.IsAbs(file) {
		file = path.Join(r.cwd, file)
	}
	f, now := r.file(path.Clean(file)), view{at: at, result: c.ID}
	if whole {
		now.hash, now.known = sum(v.Get("stdout").Text()), true
		f.whole = &now
		return
	}
	f.part = &now
}

// numbered is how the text of a Read begins, in older logs with a padded number and an arrow.
var numbered = regexp.MustCompile(`^ *[0-9]+[\t→]`)

// file is the state of a file that a result tells of.
func (r *readState) file(name string) *fileState {
	f := r.files[name]
	if f == nil {
		f = &fileState{views: map[span]view{}}
		r.files[name] = f
	}
	r.told++
	f.last = r.told
	return f
}

// forget drops what the result of a call showed: it was cleared and is no longer in the payload (H-TOOL-14).
func (r *readState) forget(call string) {
	for _, f := range r.files { // any order: each by itself
		for asked, v := range f.views {
			if v.result == call {
				delete(f.views, asked)
			}
		}
		if f.whole != nil && f.whole.result == call {
			f.whole = nil
		}
		if f.part != nil && f.part.result == call {
			f.part = nil
		}
	}
}

// unchanged tells whether an earlier result in the payload shows what a Read of text would show, of a file that was not
// written since; seeded: it is the memory file as it stands at the head (H-TOOL-13).
func (s *Session) unchanged(w world.World, c *tool.Call, text string) (same, seeded bool) {
	if c.Path == s.memoryFile() && !c.Ranged() && s.remembers(text) {
		return true, true
	}
	f := s.reading().files[c.Path]
	if f == nil || s.taught() { // its pipeline may have cleared what was shown, and says to read again (H-CMP-20)
		return false, false
	}
	earlier, ok := f.views[span{c.From, c.N}]
	if !ok || !earlier.known || earlier.hash != s.viewHash(c, text, earlier) {
		return false, false
	}
	info, err := w.Stat(c.Path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !later(info.ModTime, earlier.at), false
}

// viewHash is the hash of what a Read shows; of a whole file too long for one Read the earlier view is its first part.
func (s *Session) viewHash(c *tool.Call, text string, earlier view) [sha256.Size]byte {
	page, _, _ := c.Page(text)
	if h := sum(page); h == earlier.hash || c.Ranged() {
		return h
	}
	return sum(tool.FirstPart(text))
}

// mayWrite checks what a Write or Edit needs to know of the file before it may change it: "" when it may, else the text
// of the error (H-TOOL-20, H-TOOL-21). changed: the file is not as it was read.
func (s *Session) mayWrite(w world.World, c *tool.Call) (changed bool, fault string, err error) {
	info, err := w.Stat(c.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, "", nil // a Write makes it; an Edit will not find it
	}
	if err != nil {
		return false, "", err
	}
	if info.Kind == world.Directory {
		return false, c.Path + " is a directory, not a file", nil
	}
	data, err := w.ReadFile(c.Path)
	if err != nil {
		return false, "", err
	}
	text := tool.Text(data)
	if c.Path == s.memoryFile() && s.remembers(text) {
		return false, "", nil
	}
	f := s.reading().files[c.Path]
	switch {
	case f == nil, f.whole == nil && (f.part == nil || c.Name == tool.WriteName):
		return false, tool.NotRead, nil
	case f.whole != nil && f.whole.known:
		changed = f.whole.hash != sum(text)
	case f.whole != nil:
		changed = later(info.ModTime, f.whole.at)
	default:
		changed = later(info.ModTime, f.part.at)
	}
	if changed && c.Name == tool.WriteName {
		return true, tool.Changed, nil
	}
	return changed, "", nil
}

// later tells a file that was written after an entry was logged; entries know milliseconds.
func later(written, entry time.Time) bool { return written.Truncate(time.Millisecond).After(entry) }

func sum(text string) [sha256.Size]byte { return sha256.Sum256([]byte(text)) }

// resultsDir is where long results and the output of background tasks lie (H-LOG-6, H-TOOL-72).
func (s *Session) resultsDir() string {
	if s.taught() {
		return path.Join(s.cfg.Cwd, ".task_outputs", "tool-results")
	}
	return sessionlog.ToolResults(s.dir(), s.id)
}

// offered is the tools of the profile that the switches name; they are in force from the next snapshot on.
func (s *Session) offered() tool.Set {
	switch {
	case s.cfg.Switches.Profile == ProfileTeaching:
		return tool.Teaching()
	case s.cfg.Switches.Snip:
		return tool.Snipping()
	}
	return tool.Full()
}

// taught tells a session whose requests hold the tools of the teaching profile (H-TOOL-6).
func (s *Session) taught() bool { return bytes.Equal(s.force.tools, tool.Teaching().Definitions()) }

// toolSet is the tools that calls are checked by: those that the requests hold.
func (s *Session) toolSet() tool.Set {
	switch {
	case s.taught():
		return tool.Teaching()
	case bytes.Equal(s.force.tools, tool.Snipping().Definitions()):
		return tool.Snipping()
	}
	return tool.Full()
}

// within tells a path in a directory, or the directory itself.
func within(name, dir string) bool {
	return name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/")
}
