package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/harness"
)

func TestTheHarnessTakesEverySwitchAStoryCanSet(t *testing.T) {
	for _, k := range setShape("").named {
		for _, v := range k.shape.choices {
			_, err := harness.ParseSwitches(map[string]string{k.name: v})
			require.NoError(t, err, "%s: %s", k.name, v)
		}
	}
	_, err := harness.ParseSwitches(map[string]string{"cache.tll": "5m"})
	require.Error(t, err)
}
