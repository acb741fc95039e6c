package laws

import (
	"go/ast"
	"go/token"
	"slices"
	"testing"
)

// selectors are the uses of a package by name: time.Now.
func selectors(f file, pkg string) []*ast.SelectorExpr {
	var out []*ast.SelectorExpr
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Name == pkg && id.Obj == nil {
				out = append(out, s)
			}
		}
		return true
	})
	return out
}

// fiberRoot is the one place in the simulated world where a kill's panic is caught (D26).
const fiberRoot = "harness/world/sim/fiber.go"

func TestHarnessHasNoConcurrencyWords(t *testing.T) { noConcurrencyWords(load(t), t.Errorf) }

// noConcurrencyWords is law 6 of architecture.md 2.
func noConcurrencyWords(tr tree, broken broken) {
	const reason = "law 6: the harness is straight-line code over blocking ports (D15, D26); its only concurrency words are those of its world, so that the simulation decides every order and a kill unwinds everything"
	for _, f := range tr.files {
		if f.test || !in(f.pkg, "harness") || in(f.pkg, "harness/world/real") || in(f.pkg, "harness/world/worldtest") {
			continue
		}
		for _, im := range f.imports {
			if slices.Contains([]string{"sync", "sync/atomic", "context"}, im) && f.path != fiberRoot {
				broken("%s imports %s\n\t%s", f.path, im, reason)
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			bad := ""
			switch x := n.(type) {
			case *ast.GoStmt:
				bad = "go"
			case *ast.SelectStmt:
				bad = "select"
			case *ast.ChanType:
				bad = "chan"
			case *ast.SendStmt:
				bad = "a channel send"
			case *ast.UnaryExpr:
				if x.Op == token.ARROW {
					bad = "a channel receive"
				}
			case *ast.CallExpr:
				if id, ok := x.Fun.(*ast.Ident); ok && id.Name == "recover" && f.path != fiberRoot {
					bad = "recover"
				}
			}
			if bad != "" {
				broken("%s: %s\n\t%s", tr.where(n), bad, reason)
			}
			return true
		})
	}
}

func TestNoMutablePackageState(t *testing.T) { noMutablePackageState(load(t), t.Errorf) }

// noMutablePackageState: package variables are tables and errors, never state.
func noMutablePackageState(tr tree, broken broken) {
	const reason = "mutable package state makes two runs in one process depend on each other; keep it in a value"
	for _, f := range tr.files {
		if f.test {
			continue
		}
		names := map[string]bool{}
		for _, d := range f.ast.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					for _, id := range s.(*ast.ValueSpec).Names {
						names[id.Name] = true
					}
				}
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			var targets []ast.Expr
			switch x := n.(type) {
			case *ast.AssignStmt:
				if x.Tok != token.DEFINE {
					targets = x.Lhs
				}
			case *ast.IncDecStmt:
				targets = []ast.Expr{x.X}
			}
			for _, e := range targets {
				if id := root(e); id != nil && names[id.Name] && id.Obj != nil && id.Obj.Kind == ast.Var && isPackageVar(f, id) {
					broken("%s: assignment to package variable %s\n\t%s", tr.where(id), id.Name, reason)
				}
			}
			return true
		})
	}
}

// root is the identifier an assignable expression hangs on.
func root(e ast.Expr) *ast.Ident {
	switch x := e.(type) {
	case *ast.Ident:
		return x
	case *ast.IndexExpr:
		return root(x.X)
	case *ast.SelectorExpr:
		return root(x.X)
	case *ast.StarExpr:
		return root(x.X)
	}
	return nil
}

// isPackageVar tells whether an identifier was resolved to a declaration at file scope.
func isPackageVar(f file, id *ast.Ident) bool {
	spec, ok := id.Obj.Decl.(*ast.ValueSpec)
	if !ok {
		return false
	}
	for _, d := range f.ast.Decls {
		if g, ok := d.(*ast.GenDecl); ok && slices.Contains(g.Specs, ast.Spec(spec)) {
			return true
		}
	}
	return false
}
