package rebuild

import (
	"slices"

	"harnessbench/internal/model"
)

// markers says where the breakpoints of one request go.
type markers struct {
	blocks         []int // indexes of marks
	system, static bool  // end of system, end of its static part
}

// markerText is a marker as a further member of a block; the long life is always written out, the short
// one never (H-REB-50, H-REB-52).
func markerText(ttl string) []byte {
	if ttl == "5m" {
		return []byte(`,"cache_control":{"type":"ephemeral"}`)
	}
	return []byte(`,"cache_control":{"type":"ephemeral","ttl":"1h"}`)
}

// place chooses at most four breakpoints by the priority of D3: conversation tail (H-REB-53); previous tail when
// more than 19 positions were added, every block counted by itself (H-REB-54); a compaction block; end
// of system; last block before volatile text (H-REB-57); end of the static system part (H-REB-55). With
// two, there are the conversation tail and the end of system alone (H-REB-51).
//
// The previous tail is read from the messages, not remembered, so that a resumed session marks the same.
func (c *Conversation) place(v Volatile, two bool) markers {
	var m markers
	free := model.MaxBreakpoints
	mark := func(i int) {
		if i >= 0 && free > 0 && !slices.Contains(m.blocks, i) {
			m.blocks = append(m.blocks, i)
			free--
		}
	}
	tail := c.lastEligible(len(c.marks))
	mark(tail)
	if two {
		m.system = true
		return m
	}
	added := tail - c.previousTail
	if v.Place == PlacePrompt && c.prompt.mark > c.previousTail {
		added += len(v.Blocks)
	}
	if c.previousTail >= 0 && added > model.LookbackPositions-1 {
		mark(c.previousTail)
	}
	mark(c.compaction)
	if free > 0 {
		m.system = true
		free--
	}
	if v.Place == PlacePrompt && len(v.Blocks) > 0 {
		mark(c.lastEligible(c.prompt.mark))
	}
	m.static = free > 0
	return m
}
