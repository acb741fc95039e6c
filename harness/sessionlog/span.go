package sessionlog

// Span gives the first and the last timestamp of a file. listed tells a file that belongs in a listing:
// one with a prompt, whose first line is no sidechain entry (H-LOG-72).
func Span(data []byte) (first, last string, listed bool) {
	var rep Report
	sidechain, seen := false, false
	for v := range objects(data, &rep) {
		e, ok := Parse(v)
		if !seen {
			seen, sidechain = true, ok && e.Sidechain
		}
		if !ok {
			continue
		}
		listed = listed || e.Typed
		if e.Time == "" {
			continue
		}
		if first == "" {
			first = e.Time
		}
		last = max(last, e.Time)
	}
	return first, last, listed && !sidechain
}
