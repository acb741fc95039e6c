//go:build outside

package recorded

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/internal/wire"
)

// TestRecordedModelsHaveTheFormOfTheirDay: an object of a list, or a single one; which efforts one lists is the
// model's own affair.
func TestRecordedModelsHaveTheFormOfTheirDay(t *testing.T) {
	checked := 0
	for _, r := range records(t) {
		if r.Status != 200 || !strings.HasPrefix(r.Path, "/v1/models") {
			continue
		}
		want, got := value(t, r.Answer), value(t, r.send(fakeapi.New(r.asRecorded()), "good").Body())
		sorted := r.sortsKeys()
		if list := want.Get("data"); list.Exists() {
			assert.Equal(t, outline(want, sorted), outline(got, sorted), r.ID)
			want, got = list.At(0), got.Get("data").At(0)
		}
		for _, part := range []string{"", "capabilities"} {
			a, b := want, got
			if part != "" {
				a, b = a.Get(part), b.Get(part)
			}
			assert.Equal(t, outline(a, sorted), outline(b, sorted), "%s %s", r.ID, part)
		}
		assert.Equal(t, form(want.Get("capabilities").Get("thinking"), true), form(got.Get("capabilities").Get("thinking"), true), r.ID)
		assert.Equal(t, form(want.Get("capabilities").Get("context_management"), true), form(got.Get("capabilities").Get("context_management"), true), r.ID)
		checked++
	}
	require.Equal(t, 7, checked)
}

// outline names the members of an object.
func outline(v wire.Value, sorted bool) string {
	names := map[string]string{}
	var order []string
	for name := range v.Members() {
		names[name] = ""
		order = append(order, name)
	}
	if sorted {
		order = sortedIDs(names)
	}
	return strings.Join(order, " ")
}
