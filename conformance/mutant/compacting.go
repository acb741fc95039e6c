package mutant

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// summaries is the chain of requests for a summary.
const summaries = "compact"

var (
	logical  = regexp.MustCompile(`"logicalParentUuid":"([^"]*)"`)
	listed   = regexp.MustCompile(`"uuids":\["[^"]*"`)
	ownUUID  = regexp.MustCompile(`"uuid":"([^"]*)"`)
	readMany = regexp.MustCompile(`"cache_read_input_tokens":\d+`)
	wroteAny = regexp.MustCompile(`"cache_creation_input_tokens":(\d+)`)
)

func isBoundary(line []byte) bool { return is(line, `"subtype":"compact_boundary"`) }

// compactedInsideARound logs the newest result only behind the boundary.
func compactedInsideARound() fault {
	return fault{
		write: func(s *state, w world.World, path string, line []byte) error {
			switch {
			case is(line, `"type":"user"`) && is(line, `"type":"tool_result"`):
				s.saved, s.heldPath = bytes.Clone(line), path
				return nil
			case isBoundary(line) && s.saved != nil:
				if m := parent.FindSubmatch(s.saved); m != nil {
					line = logical.ReplaceAll(line, slices.Concat([]byte(`"logicalParentUuid":`), m[1]))
				}
				if err := w.Append(path, line); err != nil {
					return err
				}
				line, s.saved = s.saved, nil
			}
			return w.Append(path, line)
		},
		call: func(s *state, w world.World, req world.Request) (world.Response, error) {
			if req.Chain != summaries && s.saved != nil {
				if err := w.Append(s.heldPath, s.saved); err != nil {
					return world.Response{}, err
				}
				s.saved = nil
			}
			return w.Call(req)
		},
	}
}

// resultKeptWithoutCall lists the newest result among what stays.
func resultKeptWithoutCall(_ *state, w world.World, path string, line []byte) error {
	if m := logical.FindSubmatch(line); isBoundary(line) && m != nil {
		line = listed.ReplaceAllFunc(line, func(list []byte) []byte { return slices.Concat(list, []byte(`,"`), m[1], []byte(`"`)) })
	}
	return w.Append(path, line)
}

// thresholdNeverSeen hides from the harness what was read from the cache.
func thresholdNeverSeen(_ *state, chunk []byte) []byte {
	return readMany.ReplaceAll(chunk, []byte(`"cache_read_input_tokens":0`))
}

// compactedTooEarly doubles what the harness sees as written to the cache.
func compactedTooEarly(_ *state, chunk []byte) []byte {
	return wroteAny.ReplaceAllFunc(chunk, func(m []byte) []byte {
		n, _ := strconv.Atoi(string(m[bytes.IndexByte(m, ':')+1:]))
		return fmt.Appendf(nil, `"cache_creation_input_tokens":%d`, 2*n)
	})
}

// again is the write of a compaction with other uuids for what it adds.
func again(write []byte, n int) []byte {
	out := write
	for _, line := range bytes.SplitAfter(write, []byte("\n")) {
		if m := ownUUID.FindSubmatch(line); m != nil && (isBoundary(line) || is(line, `"isCompactSummary":true`)) {
			out = bytes.ReplaceAll(out, m[1], fmt.Appendf(nil, "%08d%s", n, m[1][8:]))
		}
	}
	return out
}

// compactedTwice logs a second boundary with its summary right behind the first.
func compactedTwice(s *state, w world.World, path string, line []byte) error {
	if err := w.Append(path, line); err != nil || !isBoundary(line) || s.done {
		return err
	}
	s.done = true
	return w.Append(path, again(line, 1))
}

// thrashing logs the compaction once more behind every answer that follows it.
func thrashing(s *state, w world.World, path string, line []byte) error {
	if isBoundary(line) {
		s.saved = bytes.Clone(line)
	}
	if err := w.Append(path, line); err != nil || s.saved == nil || !is(line, `"type":"assistant"`) || !is(line, `"type":"tool_use"`) {
		return err
	}
	return w.Append(path, again(s.saved, s.writes))
}

// summaryNoShorter sends much more than a summary behind the boundary, once.
func summaryNoShorter(s *state, r *wire.Request) []byte {
	if s.boundaries == 0 || s.chain == summaries || s.done {
		return nil
	}
	s.done = true
	m := r.Messages()[0]
	return withBlocks(r, m, append([][]byte{[]byte(`{"type":"text","text":"` + strings.Repeat("so ", 90_000) + `"}`)}, blocks(m)...))
}

// breakerIgnored asks for a summary once more when three requests for one have failed.
func breakerIgnored(s *state, w world.World, req world.Request) (world.Response, error) {
	if req.Chain == summaries {
		s.kept = req
	} else if s.asked == 3 && !s.done {
		s.done = true
		if err := drained(w, s.kept); err != nil {
			return world.Response{}, err
		}
	}
	return w.Call(req)
}

// failedSummaryResent sends a refused request for a summary again as it was.
func failedSummaryResent(s *state, w world.World, req world.Request) (world.Response, error) {
	resp, err := w.Call(req)
	if err != nil || req.Chain != summaries || resp.Status != 400 || s.done {
		return resp, err
	}
	s.done = true
	resp.Body.Close()
	return w.Call(req)
}

// mainCallDuringCompaction goes on with the conversation while the summary comes.
func mainCallDuringCompaction(s *state, w world.World, req world.Request) (world.Response, error) {
	if req.Chain != summaries {
		s.kept = req
		return w.Call(req)
	}
	resp, err := w.Call(req)
	if err != nil || s.done {
		return resp, err
	}
	s.done = true
	return resp, drained(w, s.kept)
}

// drained sends a request and reads its answer to the end.
func drained(w world.World, req world.Request) error {
	resp, err := w.Call(req)
	for err == nil {
		_, err = resp.Body.Next(w)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// turnEndsAtCompaction gives the call behind the boundary up, as if somebody had asked for that.
func turnEndsAtCompaction(s *state, w world.World, req world.Request) (world.Response, error) {
	if s.boundaries == 0 || s.done {
		return w.Call(req)
	}
	s.done = true
	return world.Response{}, world.ErrInterrupted
}

// boundaryWithoutSummary loses the summary on its way to the log.
func boundaryWithoutSummary(_ *state, w world.World, path string, line []byte) error {
	if isBoundary(line) {
		lines := bytes.SplitAfter(line, []byte("\n"))
		line = bytes.Join(slices.DeleteFunc(lines, func(l []byte) bool { return is(l, `"isCompactSummary":true`) }), nil)
	}
	return w.Append(path, line)
}

// summaryRequestNoSmaller asks with all of the conversation again when that was too long.
func summaryRequestNoSmaller(s *state, r *wire.Request) []byte {
	if s.chain != summaries {
		return nil
	}
	if s.asked == 1 {
		s.saved = bytes.Clone(r.Body)
		return nil
	}
	first, err := wire.Parse(nil, s.saved)
	if err != nil {
		return nil
	}
	return appendText(first, lastBlock(first), " Once more.")
}

func lastBlock(r *wire.Request) wire.Value {
	list := r.Message(r.MessageCount() - 1).Blocks()
	return list[len(list)-1].Value
}

// summaryAsksTooMuch wants more output than any model gives.
func summaryAsksTooMuch(s *state, r *wire.Request) []byte {
	if s.chain != summaries {
		return nil
	}
	return wire.Apply(r.Body, wire.Replace(r.Get("max_tokens"), []byte("9000000")))
}

// summaryRequestLosesText says something else than the first answer did.
func summaryRequestLosesText(s *state, r *wire.Request) []byte {
	if s.chain != summaries {
		return nil
	}
	for _, b := range answers(r)[0].Blocks() {
		if b.Type() == "text" {
			return appendText(r, b.Value, " Or not.")
		}
	}
	return nil
}

// newestPromptSummarised says the prompt behind the boundary in other words.
func newestPromptSummarised(s *state, r *wire.Request) []byte {
	if s.boundaries == 0 || s.chain == summaries {
		return nil
	}
	for _, m := range r.Messages() {
		for _, b := range m.Blocks() {
			if bytes.HasPrefix(b.Get("text").Raw(), []byte(`"which test fails?`)) {
				return appendText(r, b.Value, " Or something like that.")
			}
		}
	}
	return nil
}

// systemChangedByCompaction has another system prompt behind the boundary.
func systemChangedByCompaction(s *state, r *wire.Request) []byte {
	if s.boundaries == 0 {
		return nil
	}
	return appendText(r, r.Get("system").At(0), " Be brief.")
}

// summaryUnderOtherSystem asks for the summary under a system prompt of its own, and marks it for the cache.
func summaryUnderOtherSystem(s *state, r *wire.Request) []byte {
	if s.chain != summaries {
		return nil
	}
	return appendText(r, r.Get("system").At(0), " You summarise.")
}

// picture is an image of one pixel.
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// imageAsTextInSummary shows an image from the start, and writes it out as text where a summary is asked for.
func imageAsTextInSummary(s *state, r *wire.Request) []byte {
	m := r.Messages()[0]
	image := []byte(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + picture + `"}}`)
	body := withBlocks(r, m, append([][]byte{image}, blocks(m)...))
	if s.chain != summaries {
		return body
	}
	shown, err := wire.Parse(nil, body)
	if err != nil {
		return body
	}
	return appendText(shown, lastBlock(shown), " The image was "+picture)
}

// serversSummaryDropped sends nothing of the summary that the server wrote, as a client does that does not know such
// blocks.
func serversSummaryDropped(_ *state, r *wire.Request) []byte {
	var kept [][]byte
	for _, m := range r.Messages() {
		content := without(m, "compaction")
		switch {
		case len(content) == len(m.Blocks()):
			kept = append(kept, m.Raw())
		case len(content) > 0:
			return withBlocks(r, m, content)
		}
	}
	return wire.Apply(r.Body, wire.Replace(r.Get("messages"), array(kept)))
}

// halfOfThinkingInSummary leaves out the first of two thinking blocks of the newest turn.
func halfOfThinkingInSummary(s *state, r *wire.Request) []byte {
	if s.chain != summaries {
		return nil
	}
	list := answers(r)
	m := list[len(list)-2]
	return withBlocks(r, m, without(m, "thinking"))
}
