package rulebook

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ids finds rule ids, and runs of them, in a comment.
var ids = regexp.MustCompile(`H-([A-Z]+)-(\d+)(?:(?:\.\.|\s+to\s+)(?:H-([A-Z]+)-)?(\d+))?`)

// maxRun is the longest run of rules that a comment may name at once.
const maxRun = 40

// Mentions are the symbols and the tests that name each rule, in order of file and line.
type Mentions struct{ Symbols, Tests map[string][]string }

// Read collects the mentions of a module's sources.
func Read(module fs.FS, dirs ...string) (Mentions, error) {
	m := Mentions{map[string][]string{}, map[string][]string{}}
	err := sources(module, dirs, m.file)
	return m, err
}

// sources hands over the parsed Go files below the directories, in order of their names.
func sources(module fs.FS, dirs []string, visit func(name string, file *ast.File)) error {
	for _, dir := range dirs {
		err := fs.WalkDir(module, dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
				return err
			}
			src, err := fs.ReadFile(module, name)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			visit(name, file)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (m Mentions) file(name string, file *ast.File) {
	test := strings.HasSuffix(name, "_test.go")
	dir := path.Dir(name)
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			switch {
			case test && isTest(d.Name.Name):
				add(m.Tests, d.Doc, dir+"."+d.Name.Name)
			case !test:
				add(m.Symbols, d.Doc, dir+"."+receiver(d)+d.Name.Name)
			}
		case *ast.GenDecl:
			if !test {
				m.specs(dir, d)
			}
		}
	}
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz")
}

// specs takes a declaration of types, constants or variables: the comment of the whole goes to its first
// name, that of a field to its type.
func (m Mentions) specs(dir string, d *ast.GenDecl) {
	for i, spec := range d.Specs {
		var name string
		var docs []*ast.CommentGroup
		switch s := spec.(type) {
		case *ast.TypeSpec:
			name, docs = s.Name.Name, append(docs, s.Doc, s.Comment)
			ast.Inspect(s.Type, func(n ast.Node) bool {
				if f, ok := n.(*ast.Field); ok {
					docs = append(docs, f.Doc, f.Comment)
				}
				return true
			})
		case *ast.ValueSpec:
			name, docs = s.Names[0].Name, append(docs, s.Doc, s.Comment)
		default:
			continue
		}
		if i == 0 {
			docs = append(docs, d.Doc)
		}
		for _, doc := range docs {
			add(m.Symbols, doc, dir+"."+name)
		}
	}
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "."
	}
	return ""
}

func add(to map[string][]string, doc *ast.CommentGroup, name string) {
	if doc == nil {
		return
	}
	put(to, named(doc.Text()), name)
}

// put adds a name to each id, once.
func put(to map[string][]string, ids []string, name string) {
	for _, id := range ids {
		if !slices.Contains(to[id], name) {
			to[id] = append(to[id], name)
		}
	}
}

// named lists the ids that a comment names, runs spelled out.
func named(comment string) []string {
	var out []string
	for _, m := range ids.FindAllStringSubmatch(comment, -1) {
		family, first := m[1], number(m[2])
		last := first
		if m[4] != "" && (m[3] == "" || m[3] == family) && number(m[4]) > first && number(m[4])-first <= maxRun {
			last = number(m[4])
		}
		for n := first; n <= last; n++ {
			out = append(out, "H-"+family+"-"+strconv.Itoa(n))
		}
	}
	return out
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
