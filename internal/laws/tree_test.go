package laws

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "harnessbench"

// file is one parsed source file of the module.
type file struct {
	path    string // slash path below the module root
	pkg     string // import path of its directory
	test    bool
	ast     *ast.File
	imports []string
}

// tree is the whole module, parsed.
type tree struct {
	fset  *token.FileSet
	files []file
}

func load(t *testing.T) tree {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	_, err = os.Stat(filepath.Join(root, "go.mod"))
	require.NoError(t, err, "the laws read the module from its root")
	tr := tree{fset: token.NewFileSet()}
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(p, root), string(filepath.Separator)))
		if d.IsDir() {
			if rel != "" && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") {
			return nil
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return tr.add(rel, src)
	})
	require.NoError(t, err)
	require.NotEmpty(t, tr.files)
	return tr
}

// add parses one file into the tree.
func (tr *tree) add(rel string, src []byte) error {
	f, err := parser.ParseFile(tr.fset, rel, src, parser.ParseComments)
	if err != nil {
		return err
	}
	one := file{path: rel, pkg: path.Join(module, path.Dir(rel)), test: strings.HasSuffix(rel, "_test.go"), ast: f}
	for _, im := range f.Imports {
		name, err := strconv.Unquote(im.Path.Value)
		if err != nil {
			return err
		}
		one.imports = append(one.imports, name)
	}
	tr.files = append(tr.files, one)
	return nil
}

// broken takes one violation of a law.
type broken func(format string, args ...any)

// in tells whether a package lies in a room: the room itself or below it.
func in(pkg, room string) bool {
	full := path.Join(module, room)
	return pkg == full || strings.HasPrefix(pkg, full+"/")
}

// reach is every package of the module that pkg imports, directly or not, without test files.
// via names one importer on the way, for the message.
func (tr tree) reach(pkg string) map[string]string {
	direct := map[string][]string{}
	for _, f := range tr.files {
		if !f.test {
			direct[f.pkg] = append(direct[f.pkg], f.imports...)
		}
	}
	via := map[string]string{}
	queue := []string{pkg}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		for _, im := range direct[p] {
			if !strings.HasPrefix(im, module+"/") {
				continue
			}
			if _, seen := via[im]; !seen {
				via[im] = p
				queue = append(queue, im)
			}
		}
	}
	return via
}

func (tr tree) packages() []string {
	var out []string
	for _, f := range tr.files {
		if !slices.Contains(out, f.pkg) {
			out = append(out, f.pkg)
		}
	}
	slices.Sort(out)
	return out
}

// where is the position of a node for a message.
func (tr tree) where(n ast.Node) string { return tr.fset.Position(n.Pos()).String() }
