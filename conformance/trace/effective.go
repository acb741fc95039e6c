package trace

import (
	"bytes"
	"encoding/json"
)

// MayDiffer tells bodies that a server may judge in another form than the one sent (D10): parts of a thread, and
// conversations that it edits. Their request event waits for the server's view; all others need not.
func MayDiffer(body []byte) bool {
	for _, word := range [...]string{`"thread"`, `"context_management"`, `"compaction"`} {
		if bytes.Contains(body, []byte(word)) {
			return true
		}
	}
	return false
}

// EffectiveOf is the body that a server's view says it judged, empty where that is the one sent.
func EffectiveOf(view json.RawMessage) JSONText {
	var v struct {
		Effective string `json:"effective"`
	}
	if json.Unmarshal(view, &v) != nil {
		return nil
	}
	return JSONText(v.Effective)
}
