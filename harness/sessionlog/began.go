package sessionlog

// Began gives the first timestamp of a file, "" for a file without entries. listed tells a file that can be gone on
// with unasked: one with a prompt, whose first line is no sidechain entry (H-LOG-72), or one that a /clear has just
// begun and that says so by a record of an empty path.
func Began(data []byte) (first string, listed bool) {
	var rep Report
	sidechain, seen := false, false
	for v := range objects(data, &rep) {
		e, ok := Parse(v)
		if !seen {
			seen, sidechain = true, ok && e.Sidechain
		}
		if !ok {
			if v.Get("type").Text() == lastPrompt {
				p, _ := parsePin(v, 0)
				listed = listed || p.explicit && p.empty
			}
			continue
		}
		listed = listed || e.Typed
		if first == "" {
			first = e.Time
		}
	}
	return first, listed && !sidechain
}
