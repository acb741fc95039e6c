package laws

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// surfaces are the packages that other people's modules import (D21).
var surfaces = []string{
	"fakeapi", "fakeapi/httpfront", "scenarios", "golden", "harness", "harness/world", "harness/world/sim", "harness/world/real",
	"conformance/trace", "conformance/invariant", "conformance/run", "conformance/compare", "conformance/sim", "conformance/mutant", "conformance/suite/real", "conformance/suite/record", "conformance/suite/benchtest",
}

// TestExportedSurfacesNameNoInternalType is D21: a type of internal/ in an exported signature could be used by
// nobody outside the module.
func TestExportedSurfacesNameNoInternalType(t *testing.T) {
	tr := load(t)
	imp := exports(t, tr)
	for _, room := range surfaces {
		pkg, err := imp.Import(module + "/" + room)
		require.NoError(t, err)
		for _, bad := range internalTypes(pkg) {
			t.Errorf("%s: %s\n\tD21: exported surfaces use their own or plain types, never internal ones", room, bad)
		}
	}
}

func TestAnInternalTypeInASurfaceIsSeen(t *testing.T) {
	imp := exports(t, load(t))
	inner, err := imp.Import(module + "/internal/prefix") // exports wire and model types
	require.NoError(t, err)
	require.NotEmpty(t, internalTypes(inner))
	plain, err := imp.Import("net/http")
	require.NoError(t, err)
	require.Empty(t, internalTypes(plain))
}

// internalTypes lists what a package exports that mentions a type of internal/.
func internalTypes(pkg *types.Package) []string {
	var out []string
	mention := func(what string, t types.Type) {
		text := types.TypeString(t, nil)
		if strings.Contains(text, module+"/internal/") {
			out = append(out, what+" mentions "+text)
		}
	}
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		if _, isType := obj.(*types.TypeName); !isType || !ok {
			mention(name, obj.Type())
			continue
		}
		for m := range named.Methods() {
			if m.Exported() {
				mention(name+"."+m.Name(), m.Type())
			}
		}
		if st, ok := named.Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				if f.Exported() {
					mention(name+"."+f.Name(), f.Type())
				}
			}
		} else {
			mention(name, named.Underlying())
		}
	}
	slices.Sort(out)
	return out
}
