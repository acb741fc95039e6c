//go:build outside

package prefix

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

type accuracy struct {
	n, in5, in10 int
	squares      float64
	worst        float64
	at           string
}

func (a *accuracy) add(id string, counted, recorded int) {
	e := float64(counted-recorded) / float64(recorded)
	a.n++
	a.squares += e * e
	if math.Abs(e) <= 0.05 {
		a.in5++
	}
	if math.Abs(e) <= 0.10 {
		a.in10++
	}
	if math.Abs(e) > math.Abs(a.worst) {
		a.worst, a.at = e, fmt.Sprintf("%s: %d for %d", id, counted, recorded)
	}
}

func (a *accuracy) rms() float64        { return 100 * math.Sqrt(a.squares/float64(a.n)) }
func (a *accuracy) share(n int) float64 { return 100 * float64(n) / float64(a.n) }

// inItsTime is the model as it counted when the call was made: 4.5 had the tool prompt of 4.0 before
// November 2025 (messages-api.md 9.1).
func inItsTime(m model.Model, recorded string) model.Model {
	if m.Generation == "4.5" && m.Line != "opus" && recorded < "2025-11" {
		m.Generation = "4"
	}
	return m
}

// The counter against the calibration pairs. Figures of recorded/README.md part 5, thresholds a little
// looser than what is measured here.
func TestCountedTokensAgainstRecordedOnes(t *testing.T) {
	calls := map[string]exchange{}
	for _, e := range exchanges(t) {
		calls[e.ID] = e
	}
	got := map[string]*accuracy{}
	lines(t, filepath.Join(recordedDir, "token-pairs.jsonl.gz"), func(line []byte) {
		var pair struct {
			ID         string         `json:"id"`
			Model      string         `json:"model"`
			Generation string         `json:"generation"`
			Recorded   string         `json:"recorded"`
			Total      int            `json:"total_input_tokens"`
			Counts     map[string]int `json:"counts"`
		}
		require.NoError(t, json.Unmarshal(line, &pair))
		req, err := wire.Parse(nil, calls[pair.ID].body())
		require.NoError(t, err, pair.ID)
		m, ok := model.Lookup(pair.Model)
		require.True(t, ok, pair.Model)
		name := pair.Generation
		if pair.Counts["tools"] > 0 {
			name += " with tools"
		}
		if got[name] == nil {
			got[name] = &accuracy{}
		}
		got[name].add(pair.ID, Render(nil, req, inItsTime(m, pair.Recorded), Options{}).Total, pair.Total)
	})
	for _, c := range []struct {
		name           string
		n              int
		rms, in5, in10 float64
	}{
		{"mid", 139, 7.5, 80, 92},
		{"mid with tools", 302, 2, 98, 98.5},
		{"new", 32, 7, 50, 90},
		{"new with tools", 26, 1.5, 100, 100},
		{"old", 33, 5, 85, 90},
		{"old with tools", 10, 1.5, 100, 100},
	} {
		a := got[c.name]
		require.NotNil(t, a, c.name)
		t.Logf("%-15s n %3d  rms %4.1f %%  within 5 %% %3.0f %%  within 10 %% %3.0f %%  worst %+.0f %% %s",
			c.name, a.n, a.rms(), a.share(a.in5), a.share(a.in10), 100*a.worst, a.at)
		assert.Equal(t, c.n, a.n, c.name)
		assert.LessOrEqual(t, a.rms(), c.rms, c.name)
		assert.GreaterOrEqual(t, a.share(a.in5), c.in5, c.name)
		assert.GreaterOrEqual(t, a.share(a.in10), c.in10, c.name)
	}
}

// The ten answers of Opus 5.5 and Sonnet 5.5 were in no fit.
func TestCountedTokensOfTheNewestGeneration(t *testing.T) {
	n := 0
	for _, e := range exchanges(t) {
		if e.Status != 200 || e.Usage == nil || !strings.Contains(string(e.Body), `-5-5"`) {
			continue
		}
		req, err := wire.Parse(nil, e.body())
		require.NoError(t, err, e.ID)
		m, ok := model.Lookup(req.Model())
		require.True(t, ok, e.ID)
		total := e.Usage.Input + e.Usage.Creation + e.Usage.Read
		counted := Render(nil, req, m, Options{}).Total
		n++
		t.Logf("%4d for %4d %s", counted, total, e.ID)
		assert.InEpsilon(t, total, counted, 0.03, e.ID)
	}
	assert.GreaterOrEqual(t, n, 8)
}
