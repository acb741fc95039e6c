package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkWholeProcess: bench run scenarios/rewind.yaml, built, from start to exit; at most 50 ms
// (architecture.md 7).
func BenchmarkWholeProcess(b *testing.B) {
	bench := filepath.Join(b.TempDir(), "bench")
	out, err := exec.Command("go", "build", "-o", bench, ".").CombinedOutput()
	require.NoError(b, err, string(out))
	story := filepath.Join("..", "..", "scenarios", "rewind.yaml")
	for b.Loop() {
		out, err := exec.Command(bench, "run", story).CombinedOutput()
		require.NoError(b, err, string(out))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000/50, "x-of-50ms-budget")
}
