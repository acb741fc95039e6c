package compact

import (
	"math"
	"strconv"

	"harnessbench/harness/account"
	"harnessbench/harness/sessionlog"
)

// Old lists the results of compactable tools that one firing clears: all but the newest ones, in the order they came
// (H-CMP-21, H-CMP-22). over is how many uncleared ones there must be more than (H-CMP-23). What the model has not seen
// yet stays.
func (l *MicroLimits) Old(results []Result, over int) []Result {
	var open []Result
	for _, r := range results {
		if r.Compactable() && !r.Cleared {
			open = append(open, r)
		}
	}
	if len(open) <= over {
		return nil
	}
	return seen(open[:max(0, len(open)-max(1, l.Keep))])
}

// ByPlace lists the results that are cleared for their place alone: of all tools, all but the newest, those that are
// longer than so many characters (H-CMP-20).
func (l *MicroLimits) ByPlace(results []Result) []Result {
	var long []Result
	for _, r := range results[:max(0, len(results)-l.Keep)] {
		if !r.Cleared && r.Chars() > l.Short {
			long = append(long, r)
		}
	}
	return seen(long)
}

// seen cuts off what no answer stands behind.
func seen(results []Result) []Result {
	for i := range results {
		if !results[i].Seen {
			return results[:i]
		}
	}
	return results
}

// Freed is how many tokens clearing results takes from the payload, and so many images beside them (H-CMP-38).
func Freed(results []Result, images int) int {
	chars := 0
	for i := range results {
		c, n := results[i].freed()
		chars, images = chars+c, images+n
	}
	return max(0, chars/4+images*account.ImageTokens)
}

// Cached is how many tokens of a path the cache holds from some entry on: all that was sent for the newest answer
// (H-CMP-38). Results that are cleared count as what stands for them.
func Cached(path []*sessionlog.Entry, results []Result, from int) int {
	newest, end := "", 0 // end: index of the first entry of the newest answer
	for i, e := range path {
		if Answers(e) && (e.Message.ID != newest || newest == "") {
			newest, end = e.Message.ID, i
		}
	}
	chars, images := 0, 0
	for i := from; i < end; i++ {
		if e := path[i]; !e.Sidechain && !e.Notice {
			c, n := weigh(e)
			chars, images = chars+c, images+n
		}
	}
	for i := range results {
		if r := &results[i]; r.Cleared && r.Entry >= from && r.Entry < end {
			c, n := r.freed()
			chars, images = chars-c, images-n
		}
	}
	return max(0, chars/4+images*account.ImageTokens)
}

// Worth is what clearing depends on: what the cache holds from the first changed block on, the model's prices of writing
// and reading it, and how many calls are expected yet.
type Worth struct {
	Cached      int // tokens
	Write, Read float64
	Calls       int
}

// ClearAtLeast is the number of tokens that a clearing must free so that it costs no more than it saves over the calls
// to come (H-CMP-26): from (X-S)(w+(n-1)r) <= n X r. With nothing in the cache it is 0.
func (w *Worth) ClearAtLeast() int {
	write, read := micros(w.Write), micros(w.Read)
	dear := int64(w.Cached) * (write - read)
	per := int64(w.Calls)*read + write - read
	if dear <= 0 || per <= 0 {
		return 0
	}
	return int((dear + per - 1) / per)
}

// micros makes a price a whole number, so that a limit is exact.
func micros(price float64) int64 { return int64(math.Round(price * 1e6)) }

// MicroMetadata is what a microcompact_boundary says (H-LOG-47).
type MicroMetadata struct {
	Trigger   string // time, cached, position; cached: the server clears, the payload stays
	PreTokens int
	Saved     int // tokens
	Calls     []string
	Images    []string // uuids of entries whose images became text
}

// Encode writes it as a JSON object.
func (m *MicroMetadata) Encode() []byte {
	b := append([]byte(`{"trigger":`), sessionlog.Quote(m.Trigger)...)
	b = strconv.AppendInt(append(b, `,"preTokens":`...), int64(m.PreTokens), 10)
	b = strconv.AppendInt(append(b, `,"tokensSaved":`...), int64(m.Saved), 10)
	b = names(append(b, `,"compactedToolIds":`...), m.Calls)
	b = append(b, `,"clearedAttachmentUUIDs":[]`...)
	if len(m.Images) > 0 {
		b = names(append(b, `,"removedImageUUIDs":`...), m.Images)
	}
	return append(b, '}')
}

// names appends an array of strings.
func names(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, sessionlog.Quote(s)...)
	}
	return append(b, ']')
}
