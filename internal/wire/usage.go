package wire

import "bytes"

// Usage is the token count of an answer; see messages-api.md 3. Raw is the object as it came
// (streams: message_start overlaid with the fields of message_delta).
type Usage struct {
	Input, CacheCreation, CacheRead, Output int
	Creation5m, Creation1h                  int
	Fast, Batch                             bool // speed is fast, service_tier is batch
	Raw                                     []byte
}

// Total is input + creation + read: the size of the prompt.
func (u Usage) Total() int { return u.Input + u.CacheCreation + u.CacheRead }

// readUsage reads a usage object; counts that are missing, null or no integers are 0.
func readUsage(v Value) Usage {
	count := func(v Value) int {
		n, _ := v.Int()
		return int(n)
	}
	split := v.Get("cache_creation")
	return Usage{
		Input:         count(v.Get("input_tokens")),
		CacheCreation: count(v.Get("cache_creation_input_tokens")),
		CacheRead:     count(v.Get("cache_read_input_tokens")),
		Output:        count(v.Get("output_tokens")),
		Creation5m:    count(split.Get("ephemeral_5m_input_tokens")),
		Creation1h:    count(split.Get("ephemeral_1h_input_tokens")),
		Fast:          v.Get("speed").Text() == "fast",
		Batch:         v.Get("service_tier").Text() == "batch",
		Raw:           bytes.Clone(v.Raw()),
	}
}

// overlay is the usage after a message_delta: the fields it holds replace those of before, a null one does not.
func (u Usage) overlay(news Value) Usage {
	now, err := ParseValue(u.Raw)
	if err != nil || now.Kind() != '{' { // message_start had none
		now, _ = ParseValue([]byte("{}"))
	}
	for name, v := range news.Members() {
		if !v.IsNull() {
			now, _ = ParseValue(Apply(now.Raw(), SetMember(now, name, v.Raw()))) // JSON put into JSON
		}
	}
	return readUsage(now)
}
