package scenarios

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"

	"github.com/goccy/go-yaml/ast"
)

// Policy is one setting under which a story is played: switches over those of the story itself.
type Policy struct {
	Name string
	Set  map[string]string
	// Line is where it stands in the file, from 1.
	Line int
}

// policyForm is the form of names: they are words of a command line too.
var policyForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func policiesShape() *shape {
	return &shape{kind: record, doc: "Settings under which one story is played.", keys: []key{
		{name: "policies", required: true, shape: &shape{kind: list, entry: "a policy", of: &shape{kind: record, keys: []key{
			{name: "name", required: true, shape: &shape{doc: "What the table calls it.", pattern: policyForm, form: "letters, digits, dots and dashes, such as prune-late"}},
			{name: "set", shape: &shape{kind: table, doc: "Switches, over those of the story.", name: switchForm, form: "names of switches, such as cache.ttl",
				of: &shape{kind: anything}}},
		}}}},
	}}
}

var switchForm = regexp.MustCompile(`^[a-zA-Z]+(\.[a-zA-Z0-9]+)*$`)

// LoadPolicies reads a list of policies. What is wrong with the file comes as Errors. The names of switches and their
// values are checked by who plays the story.
func LoadPolicies(fsys fs.FS, name string) ([]Policy, error) {
	f := &faults{file: name, listed: true}
	data, err := fs.ReadFile(fsys, path.Clean(name))
	if err != nil {
		f.add(place{}, "cannot be read: "+reason(err), "a file that lists policies")
		return nil, f.err()
	}
	root := f.parse(data)
	if err := f.err(); err != nil {
		return nil, err
	}
	f.check(root, policiesShape(), "the file")
	if err := f.err(); err != nil {
		return nil, err
	}
	var out []Policy
	seen := map[string]bool{}
	for _, n := range elements(child(root, "policies")) {
		p := Policy{Name: str(child(n, "name")), Set: strs(child(n, "set")), Line: where(n).line}
		if seen[p.Name] {
			f.add(where(child(n, "name")), fmt.Sprintf("a second policy %q", p.Name), "one of each name")
		}
		seen[p.Name] = true
		f.scalars(child(n, "set"))
		out = append(out, p)
	}
	return out, f.err()
}

// scalars refuses values of switches that are no single words.
func (f *faults) scalars(set ast.Node) {
	all, _ := pairs(set)
	for _, p := range all {
		switch p.value.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode:
		default:
			f.add(where(p.value), p.name+" is "+called(p.value), "a word or a number")
		}
	}
}
