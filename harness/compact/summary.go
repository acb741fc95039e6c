package compact

import (
	"errors"
	"strings"
)

// Summary takes the summary out of an answer: the analysis goes, the text in the tags is taken, without tags all of it;
// nothing left is a failure (H-CMP-48). A tag that an answer cut short did not close ends with it.
func Summary(answer string) (string, error) {
	answer = without(answer, "<analysis>", "</analysis>", "<summary>")
	if _, in, found := strings.Cut(answer, "<summary>"); found {
		answer = in
		if end := strings.LastIndex(in, "</summary>"); end >= 0 {
			answer = in[:end]
		}
	}
	answer = strings.TrimSpace(answer)
	if answer == "" {
		return "", errors.New("the answer holds no summary")
	}
	return answer, nil
}

// without takes out what stands from open to the first end tag, or, where that is missing, to next or to the end.
func without(s, open, end, next string) string {
	before, in, found := strings.Cut(s, open)
	if !found {
		return s
	}
	if _, after, closed := strings.Cut(in, end); closed {
		return before + after
	}
	if at := strings.Index(in, next); at >= 0 {
		return before + in[at:]
	}
	return before
}

// Head and the two anchors of the tail stand byte for byte in the text of a summary (T-SUMHEAD, T-SUMTAIL).
const (
	Head = "This session is being continued from a previous conversation that ran out of context. The summary below covers " +
		"the earlier portion of the conversation."
	tail = "If you need specific details from before compaction (exact code, error messages, output, the wording of a " +
		"message), read the full transcript at: "
)

// Text is what stands in the log and in the payload for a summary; transcript is the path of the log (H-INJ-51).
func Text(summary, transcript string) string {
	return Head + "\n\nSummary:\n" + summary + "\n\n" + tail + transcript
}

// SpanHead begins what is shown in the place of a span of the conversation.
const SpanHead = "[Rounds of the conversation stood here. This is their summary.]"

// SpanText is what is shown in the place of a span of the conversation (H-CMP-32).
func SpanText(summary string) string { return SpanHead + "\n" + summary }
