package thread

import (
	"strconv"
	"strings"
)

// Sent rewrites the paths into `messages` of an error text or of an answer so that they index the array that was
// sent, behind the messages that were kept. What lies in a kept message shows at the first one sent.
func Sent(text string, kept int) string {
	const array = "messages."
	var out strings.Builder
	for kept > 0 {
		at := strings.Index(text, array)
		if at < 0 {
			break
		}
		end := at + len(array)
		out.WriteString(text[:end])
		begin := end
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		if n, err := strconv.Atoi(text[begin:end]); err == nil && (at == 0 || !isWord(text[at-1])) {
			out.WriteString(strconv.Itoa(max(0, n-kept)))
		} else {
			out.WriteString(text[begin:end])
		}
		text = text[end:]
	}
	return out.String() + text
}

func isWord(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
