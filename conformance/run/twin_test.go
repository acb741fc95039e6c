package run

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/scenarios"
)

// TestAResumedSessionSendsTheBytesOfALiveOne: same disk, same day, all four models of the matrix: the first
// request after a resume is byte for byte what the process would have sent had it not exited.
func TestAResumedSessionSendsTheBytesOfALiveOne(t *testing.T) {
	compared := 0
	for _, name := range []string{"resume_after_exit", "rewind_then_resume"} {
		sc, err := scenarios.Load(os.DirFS(filepath.Join("..", "..", "scenarios")), name+".yaml")
		require.NoError(t, err)
		for _, inject := range []string{"off", "on"} {
			sc.Set = map[string]string{"inject.time": inject}
			for _, model := range []string{"claude-haiku-4-5", "claude-sonnet-4-6", "claude-sonnet-5", "claude-sonnet-5-5"} {
				opt := Options{Model: model, Seed: 7, Engine: Loop{}}
				live, err := twins(sc, opt)
				require.NoError(t, err)
				require.NotEmpty(t, live)
				res, err := Story(sc, opt)
				require.NoError(t, err)
				require.Empty(t, res.Faults)
				for _, c := range res.Calls {
					if want, ok := live[c.Name]; ok {
						compared++
						require.Equal(t, string(want), string(c.Body), "%s, call %s on %s", name, c.Name, model)
					}
				}
			}
		}
	}
	require.Equal(t, 16, compared)
}
