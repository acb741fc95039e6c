package laws

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMapOrderReachesNothing(t *testing.T) {
	tr := load(t)
	mapOrderReachesNothing(t, tr, exports(t, tr), t.Errorf)
}

// mapOrderReachesNothing is law 5 of architecture.md 2: a range over a map must say on its line, or
// on the line above, why any order will do. Use slices.Sorted(maps.Keys(m)) otherwise.
func mapOrderReachesNothing(t *testing.T, tr tree, imp types.Importer, broken broken) {
	const reason = "law 5: no map order reaches an output, a hash or a draw; range over slices.Sorted(maps.Keys(m)), or say with a comment \"any order: ...\" why it cannot matter"
	byPkg := map[string][]file{}
	for _, f := range tr.files {
		if !f.test {
			byPkg[f.pkg] = append(byPkg[f.pkg], f)
		}
	}
	for _, pkg := range tr.packages() {
		var asts []*ast.File
		for _, f := range byPkg[pkg] {
			asts = append(asts, f.ast)
		}
		if len(asts) == 0 {
			continue
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		conf := types.Config{Importer: imp}
		_, err := conf.Check(pkg, tr.fset, asts, info)
		require.NoError(t, err, pkg)
		for _, f := range byPkg[pkg] {
			said := map[int]bool{}
			for _, g := range f.ast.Comments {
				for _, c := range g.List {
					if strings.Contains(c.Text, "any order") {
						said[tr.fset.Position(c.Pos()).Line] = true
					}
				}
			}
			unsorted(f, func(n ast.Node) {
				if line := tr.fset.Position(n.Pos()).Line; !said[line] && !said[line-1] {
					broken("%s: the order of a map, unsorted\n\t%s", tr.where(n), reason)
				}
			})
			ast.Inspect(f.ast, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Contains(lit.Value, "%p") {
					broken("%s: %%p prints an address\n\tlaw 5: no address reaches an output", tr.where(lit))
				}
				r, ok := n.(*ast.RangeStmt)
				if !ok {
					return true
				}
				if _, isMap := info.Types[r.X].Type.Underlying().(*types.Map); isMap {
					line := tr.fset.Position(r.Pos()).Line
					if !said[line] && !said[line-1] {
						broken("%s: range over a map\n\t%s", tr.where(r), reason)
					}
				}
				return true
			})
		}
	}
}

// unsorted finds maps.Keys, maps.Values and maps.All whose order is not thrown away at once.
func unsorted(f file, found func(ast.Node)) {
	fine := map[ast.Node]bool{}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		pkg, name := called(call)
		if pkg == "slices" && strings.HasPrefix(name, "Sorted") || pkg == "maps" && (name == "Collect" || name == "Insert") {
			for _, arg := range call.Args {
				fine[arg] = true
			}
		}
		if pkg == "maps" && (name == "Keys" || name == "Values" || name == "All") && !fine[call] {
			found(call)
		}
		return true
	})
}

// called names a function of a package: maps, Keys.
func called(call *ast.CallExpr) (pkg, name string) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return "", ""
	}
	return id.Name, sel.Sel.Name
}

// exports reads the compiler's export data of every dependency.
func exports(t *testing.T, tr tree) types.Importer {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export", "./...")
	cmd.Dir = "../.."
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, errs.String())
	where := map[string]string{}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
		where[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(tr.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(where[path]) })
}
