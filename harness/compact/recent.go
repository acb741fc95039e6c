package compact

import "harnessbench/harness/sessionlog"

// Recent is where the newest n messages of a path begin, or earlier, so that no result stands without its call
// (H-CMP-74); later where they would hold most tokens or more. The end of the path is for none.
func Recent(path []*sessionlog.Entry, n, most int) int {
	starts := messagesOf(path)
	if len(starts) == 0 {
		return len(path)
	}
	i := max(0, len(starts)-n)
	for i > 0 && isResult(path[starts[i]]) {
		i--
	}
	for ; i < len(starts); i++ {
		if !isResult(path[starts[i]]) && Tokens(path[starts[i]:]) < most {
			return starts[i]
		}
	}
	return len(path)
}

// messagesOf gives the places of the entries that begin a message of the payload.
func messagesOf(path []*sessionlog.Entry) (at []int) {
	role := ""
	for i, e := range path {
		if e.Sidechain || e.Notice || !e.Speech() || e.Type == role {
			continue
		}
		role = e.Type
		at = append(at, i)
	}
	return at
}
