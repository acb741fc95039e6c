package compact

import (
	"strconv"

	"harnessbench/harness/sessionlog"
	"harnessbench/internal/wire"
)

// Triggers of a compaction: the user's wish, or the harness's own (H-LOG-42).
const (
	Manual = "manual"
	Auto   = "auto"
)

// Metadata is what a boundary says of its compaction (H-LOG-42, H-LOG-43). Token counts are estimates (H-CMP-53).
type Metadata struct {
	Trigger    string
	PreTokens  int // of the payload before
	PostTokens int // of the messages after
	Summarized int // conversational entries replaced
	Context    string
	Segment    *Segment
	Listed     *Listed
	Usage      []byte // of the summary's own call, JSON, nil for none (H-ACC-13)
}

// Segment is the part of the path that stays, with the entry it stands behind (H-LOG-45). All are uuids.
type Segment struct{ Head, Anchor, Tail string }

// Listed are the entries that stay behind an anchor, one by one, where they are no stretch of the path (H-LOG-45,
// H-CMP-78). All are uuids.
type Listed struct {
	Anchor string
	UUIDs  []string
}

// Encode writes it as a JSON object.
func (m *Metadata) Encode() []byte {
	b := append([]byte(`{"trigger":`), sessionlog.Quote(m.Trigger)...)
	b = strconv.AppendInt(append(b, `,"preTokens":`...), int64(m.PreTokens), 10)
	b = strconv.AppendInt(append(b, `,"postTokens":`...), int64(m.PostTokens), 10)
	b = strconv.AppendInt(append(b, `,"messagesSummarized":`...), int64(m.Summarized), 10)
	if m.Context != "" {
		b = append(append(b, `,"userContext":`...), sessionlog.Quote(m.Context)...)
	}
	if s := m.Segment; s != nil {
		b = append(append(b, `,"preservedSegment":{"headUuid":`...), sessionlog.Quote(s.Head)...)
		b = append(append(b, `,"anchorUuid":`...), sessionlog.Quote(s.Anchor)...)
		b = append(append(append(b, `,"tailUuid":`...), sessionlog.Quote(s.Tail)...), '}')
	}
	if l := m.Listed; l != nil {
		b = append(append(b, `,"preservedMessages":{"anchorUuid":`...), sessionlog.Quote(l.Anchor)...)
		b = append(b, `,"uuids":[`...)
		for i, uuid := range l.UUIDs {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, sessionlog.Quote(uuid)...)
		}
		b = append(b, "]}"...)
	}
	if m.Usage != nil {
		b = append(append(b, `,"usage":`...), m.Usage...)
	}
	return append(b, '}')
}

// Usage is what the metadata of a boundary says that the summary's call used (H-ACC-13), nil when it says nothing.
func Usage(metadata []byte) []byte {
	v, err := wire.ParseValue(metadata)
	if err != nil || !v.Get("usage").Exists() {
		return nil
	}
	return v.Get("usage").Raw()
}
