package run_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/run"
	"harnessbench/fakeapi/fault"
	"harnessbench/scenarios"
)

// TestStoriesKnowTheServersFaults: the words of story files are those of the server, place by place.
func TestStoriesKnowTheServersFaults(t *testing.T) {
	raw, err := scenarios.Schema()
	require.NoError(t, err)
	var schema struct {
		Properties struct {
			Steps struct {
				Items struct {
					Properties struct {
						Faults struct {
							Items struct {
								Properties struct {
									Do struct{ Enum []string }
									At struct{ Pattern string }
								}
							}
						}
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(raw, &schema))
	known := schema.Properties.Steps.Items.Properties.Faults.Items.Properties
	require.Equal(t, fault.Kinds(), known.Do.Enum)
	for _, place := range []string{"before_headers", "after_headers", "end", "event 5", "byte 3 of event 5", "event message_delta", "byte 2 of event content_block_stop of tool_use 2",
		"event", "event 0", "byte 0 of event 1", "behind event 1", "event 5 of text"} {
		_, err := fault.ParsePosition(place)
		require.Regexp(t, known.At.Pattern, "before_headers")
		if err == nil {
			require.Regexp(t, known.At.Pattern, place)
		} else {
			require.NotRegexp(t, known.At.Pattern, place)
		}
	}
}

// TestAFaultThatNeverStruckIsSaid: a story that breaks what never comes would prove nothing.
func TestAFaultThatNeverStruckIsSaid(t *testing.T) {
	sc, err := scenarios.Load(os.DirFS(filepath.Join("..", "..", "scenarios")), "overloaded_call.yaml")
	require.NoError(t, err)
	sc.Steps[1].Prompt.Faults = []scenarios.Fault{{Do: "reset", Call: 2}, {Do: "reset", Call: 1, With: []scenarios.Setting{{Name: "at", Value: "event 99"}}}}
	res, err := run.Story(sc, run.Options{Seed: 1})
	require.NoError(t, err)
	require.Equal(t, []string{"faults: reset at event 99: the answer has no such place", "faults: 1 of 3 met no call"}, res.Expect)

	sc.Steps[1].Prompt.Faults = []scenarios.Fault{{Do: "refuse", Line: 7}}
	_, err = run.Story(sc, run.Options{Seed: 1})
	require.EqualError(t, err, "overloaded_call.yaml:7: refuse needs a status, 400 to 599")
}
