package harness

import (
	"fmt"

	"harnessbench/harness/world"
)

// Layers runs layers of the pipeline in an order of the test's own, where the fixed one stands before a call: behind a
// prompt, unless that is "". ended is the reason for which one of them ended the turn, "" when none did.
func (s *Session) Layers(w world.World, prompt string, order ...string) (ended string, err error) {
	err = s.alone(w, "layers", func(w world.World) error {
		t := turn{s: s, w: w, main: true}
		if prompt != "" {
			if err := t.begin([]said{{prompt, s.source()}}); err != nil {
				return err
			}
		}
		layers := map[string]func() error{"snip": t.snipLayer, "micro": t.microLayer, "collapse": t.collapseLayer, "auto": t.autoLayer}
		for _, name := range order {
			layer, ok := layers[name]
			if !ok {
				return fmt.Errorf("no layer is called %q", name)
			}
			if err := layer(); err != nil {
				return err
			}
			if t.ended != nil {
				ended = t.ended.Reason
				return nil
			}
		}
		return s.live.Check(s.shadow)
	})
	return ended, err
}
