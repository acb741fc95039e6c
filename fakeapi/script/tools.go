package script

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"harnessbench/fakeapi/script/sample"
	"harnessbench/internal/wire"
)

// family is one tool under the names that harnesses give it, with the names of its parameters; the first of each is
// the abstract one, in which scripts are written.
type family struct {
	names  []string
	params [][]string
}

// families were seen on the wire of current harnesses, or stand in their documentation. Names are compared without
// case, underscores and dashes.
var families = []family{
	{[]string{"Bash", "run_shell_command", "execute_bash", "run_commands", "shell", "execute_command", "run_terminal_cmd", "run_terminal_command", "run_in_terminal", "terminal", "exec_command", "local_shell", "run_bash", "bash_tool"},
		[][]string{{"command", "commands", "cmd", "script", "shell_command", "command_line"}, {"description", "explanation"}}},
	{[]string{"Read", "read_file", "view", "view_file", "open_file", "cat", "fs_read", "file_read", "get_file_contents"},
		[][]string{{"file_path", "path", "absolute_path", "filename", "file", "filepath", "target_file", "paths"}, {"offset", "start_line"}, {"limit", "line_count"}}},
	{[]string{"Write", "write_file", "create_file", "create", "fs_write", "file_write", "write_to_file"},
		[][]string{{"file_path", "path", "absolute_path", "filename", "file", "filepath", "target_file"}, {"content", "contents", "text", "file_text"}}},
	{[]string{"Edit", "edit_file", "replace", "str_replace", "search_replace", "replace_in_file", "string_replace", "single_find_and_replace"},
		[][]string{{"file_path", "path", "absolute_path", "filename", "file", "filepath", "target_file"}, {"old_string", "old_str", "old_text", "search"}, {"new_string", "new_str", "new_text", "replace"}}},
	{[]string{"Glob", "find_files", "glob_file_search", "file_search", "search_files_by_name"},
		[][]string{{"pattern", "glob", "glob_pattern", "query"}, {"path", "dir_path", "directory"}}},
	{[]string{"Grep", "grep_search", "search_file_content", "search", "search_files", "ripgrep", "search_code", "codebase_search"},
		[][]string{{"pattern", "regex", "query", "search"}, {"path", "dir_path", "directory"}}},
	{[]string{"LS", "list", "list_directory", "list_dir", "list_files"},
		[][]string{{"path", "dir_path", "directory", "dirpath"}}},
	{[]string{"WebFetch", "fetch", "web_fetch", "fetch_url", "fetch_url_content"},
		[][]string{{"url", "urls"}, {"prompt", "query"}}},
	{[]string{"WebSearch", "web_search", "google_web_search", "search_web"},
		[][]string{{"query", "q", "search_term"}}},
	{[]string{"TodoWrite", "todo_write", "write_todos", "update_todos", "todos"},
		[][]string{{"todos", "items", "tasks"}}},
}

// plain is a name as names are compared.
func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name))
}

func familyOf(name string) *family {
	for i := range families {
		for _, n := range families[i].names {
			if plain(n) == plain(name) {
				return &families[i]
			}
		}
	}
	return nil
}

// sameTool tells whether two names mean one tool.
func sameTool(a, b string) bool {
	if plain(a) == plain(b) {
		return true
	}
	f := familyOf(a)
	return f != nil && f == familyOf(b)
}

// offered finds the tool that a request offers under a name or another name of its family. exact tells that the
// name is the very one.
func offered(tools wire.Value, name string) (tool wire.Value, exact, ok bool) {
	for _, t := range tools.Elems() {
		if t.Get("name").Text() == name {
			return t, true, true
		}
	}
	for _, t := range tools.Elems() {
		if plain(t.Get("name").Text()) == plain(name) {
			return t, false, true
		}
	}
	for _, t := range tools.Elems() {
		if sameTool(name, t.Get("name").Text()) {
			return t, false, true
		}
	}
	return wire.Value{}, false, false
}

// adapt names the tools of an answer as the request offers them, and shapes their input by the offered schema. A
// tool that is offered under the scripted name stays as it is, and so does one that is not offered at all.
func adapt(a Answer, tools wire.Value) Answer {
	for i, b := range a.Blocks {
		if b.Kind != "tool_use" {
			continue
		}
		t, exact, ok := offered(tools, b.Name)
		if exact || !ok {
			continue
		}
		blocks := slices.Clone(a.Blocks)
		blocks[i].Name = t.Get("name").Text()
		blocks[i].Input = reshape(b.Input, familyOf(b.Name), t.Get("input_schema"))
		a.Blocks = blocks
	}
	return a
}

// reshape renames the members of an input to those of a schema, puts a value into a list where the schema wants one,
// and adds what the schema requires besides.
func reshape(input []byte, f *family, schema wire.Value) []byte {
	in, err := wire.ParseValue(input)
	props := schema.Get("properties")
	if err != nil || props.Kind() != '{' {
		return input
	}
	out := []byte{'{'}
	var have []string
	add := func(name string, raw []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		q, err := jsontext.AppendQuote(nil, name)
		if err != nil { // invalid UTF-8 stands as the replacement character
			q = append([]byte(nil), q...)
		}
		out = append(append(append(out, q...), ':'), raw...)
		have = append(have, name)
	}
	for name, v := range in.Members() {
		to := nameIn(props, f, name)
		if to == "" || slices.Contains(have, to) {
			continue
		}
		raw := v.Raw()
		if isList(props.Get(to)) && v.Kind() != '[' {
			raw = append(append([]byte{'['}, raw...), ']')
		}
		add(to, raw)
	}
	draw := rand.New(rand.NewPCG(0, 0)) // what is added is always the same
	for _, r := range schema.Get("required").Elems() {
		if name := r.Text(); !slices.Contains(have, name) {
			add(name, sample.Property(schema, name, draw))
		}
	}
	return append(out, '}')
}

// nameIn is the property that a scripted parameter goes to, "" for none.
func nameIn(props wire.Value, f *family, name string) string {
	if props.Get(name).Exists() {
		return name
	}
	words := []string{name}
	if f != nil {
		for _, p := range f.params {
			if slices.ContainsFunc(p, func(s string) bool { return plain(s) == plain(name) }) {
				words = p
			}
		}
	}
	for _, w := range words {
		for have := range props.Members() {
			if plain(have) == plain(w) {
				return have
			}
		}
	}
	return ""
}

// isList tells whether a schema takes lists and no text.
func isList(schema wire.Value) bool {
	t := schema.Get("type")
	if t.Kind() == '"' {
		return t.Text() == "array"
	}
	list := false
	for _, one := range t.Elems() {
		if one.Text() == "string" {
			return false
		}
		list = list || one.Text() == "array"
	}
	return list
}
