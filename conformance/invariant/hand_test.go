package invariant

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"harnessbench/conformance/trace"
)

// hand is a small harness written out by hand: it keeps a conversation and its log in step and writes
// the events of a run. Faults are planted between its steps or through edit.
type hand struct {
	events []trace.Event
	model  string
	system string
	memory string
	marks  bool   // mark the system and the tail
	usage  string // of the next answers, as JSON

	msgs  []said
	calls int
	step  int
	waits time.Duration

	file   string
	offset int64
	leaf   string
	uuids  int
	place  map[string]string // uuid of a prompt: its parent
	depth  map[string]int    // uuid of a prompt: messages and blocks before it
	within map[string]int
	last   string // newest prompt

	// edit may change the body of a request before it is sent.
	edit func(body string) string
}

// said is one message.
type said struct {
	role   string
	blocks []string
	more   string // further members
}

func newHand(model string) *hand {
	h := &hand{model: model, system: "You are an agent.", memory: reminder("memory and date"), marks: true, file: "/c/projects/w/s1.jsonl",
		place: map[string]string{}, depth: map[string]int{}, within: map[string]int{}}
	h.emit(trace.Event{Kind: trace.KindRun, Run: &trace.Run{Version: 1, Story: "by hand", Engine: "loop", Lane: "quiet", Model: model}})
	return h
}

func (h *hand) emit(e trace.Event) {
	e.Seq, e.Step, e.At = len(h.events), h.step, time.Duration(len(h.events))*time.Second+h.waits
	h.events = append(h.events, e)
}

func (h *hand) op(op trace.Op) {
	h.step++
	h.emit(trace.Event{Kind: trace.KindOp, Op: &op})
}

func (h *hand) standing() {
	h.emit(trace.Event{Kind: trace.KindLeaf, Leaf: &trace.Leaf{Session: "s", File: h.file, Leaf: h.leaf}})
}

// line writes one line to the log.
func (h *hand) line(fields string) {
	data := "{" + fields + "}\n"
	h.emit(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: h.file, Offset: h.offset, Data: trace.JSONText(data)}})
	h.offset += int64(len(data))
}

// entry writes an entry behind the leaf and makes it the leaf.
func (h *hand) entry(kind, rest string) string {
	h.uuids++
	uuid := fmt.Sprintf("e%d", h.uuids)
	parent := "null"
	if h.leaf != "" {
		parent = quote(h.leaf)
	}
	h.line(fmt.Sprintf(`"parentUuid":%s,"isSidechain":false,"type":%s,"uuid":%s,%s`, parent, quote(kind), quote(uuid), rest))
	h.leaf = uuid
	return uuid
}

// prompt types a prompt: logged, then part of the next request.
func (h *hand) prompt(text string) string {
	h.op(trace.Op{Name: "prompt", Text: text})
	return h.typed(text)
}

func (h *hand) typed(text string) string {
	parent := h.leaf
	uuid := h.entry("user", `"message":{"role":"user","content":`+quote(text)+`}`)
	h.place[uuid], h.last = parent, uuid
	h.say("user", textBlock(text), uuid)
	return uuid
}

// say adds a block to the conversation; neighbours of one role are one message.
func (h *hand) say(role, block, prompt string) {
	if len(h.msgs) == 0 && role == "user" {
		h.msgs = append(h.msgs, said{role: "user", blocks: []string{textBlock(h.memory)}})
	}
	n := len(h.msgs) - 1
	if n < 0 || h.msgs[n].role != role {
		h.msgs = append(h.msgs, said{role: role})
		n++
	}
	if prompt != "" {
		h.depth[prompt], h.within[prompt] = n, len(h.msgs[n].blocks)
	}
	h.msgs[n].blocks = append(h.msgs[n].blocks, block)
}

// body is the request as it stands.
func (h *hand) body() string {
	mark := ""
	if h.marks {
		mark = `,"cache_control":{"type":"ephemeral","ttl":"1h"}`
	}
	tail := -1
	for i, m := range h.msgs {
		if m.role != "system" {
			tail = i
		}
	}
	var msgs []string
	for i, m := range h.msgs {
		blocks := slices.Clone(m.blocks)
		if n := len(blocks) - 1; i == tail && n >= 0 && !strings.HasPrefix(blocks[n], `{"type":"thinking"`) {
			blocks[n] = strings.TrimSuffix(blocks[n], "}") + mark + "}"
		}
		msgs = append(msgs, fmt.Sprintf(`{"role":%s,"content":[%s]%s}`, quote(m.role), strings.Join(blocks, ","), m.more))
	}
	return fmt.Sprintf(`{"model":%s,"max_tokens":1000,"system":[{"type":"text","text":%s%s}],"tools":[{"name":"Bash","input_schema":{"type":"object"}}],"messages":[%s]}`,
		quote(h.model), quote(h.system), mark, strings.Join(msgs, ","))
}

// send sends the request.
func (h *hand) send() {
	body := h.body()
	if h.edit != nil {
		body = h.edit(body)
	}
	h.sendBytes(body)
}

func (h *hand) sendBytes(body string) { h.sendOn("main", body) }

func (h *hand) sendOn(chain, body string) {
	h.calls++
	h.emit(trace.Event{Kind: trace.KindRequest, Request: &trace.Request{Call: h.calls, Chain: chain, Method: "POST", Path: "/v1/messages", Body: trace.JSONText(body)}})
}

// answer delivers an answer, without the harness doing anything about it yet.
func (h *hand) answer(stop string, blocks ...string) {
	usage := h.usage
	if usage == "" {
		usage = `{"input_tokens":1,"output_tokens":1}`
	}
	body := fmt.Sprintf(`{"id":"msg_%d","type":"message","role":"assistant","model":%s,"content":[%s],"stop_reason":%s,"stop_sequence":null,"usage":%s}`,
		h.calls, quote(h.model), strings.Join(blocks, ","), quote(stop), usage)
	h.emit(trace.Event{Kind: trace.KindResponse, Response: &trace.Response{Call: h.calls, Status: 200, Body: trace.JSONText(body), Ended: true}})
}

// refused delivers an error instead of an answer.
func (h *hand) refused(status int) {
	h.emit(trace.Event{Kind: trace.KindResponse, Response: &trace.Response{Call: h.calls, Status: status, Ended: true,
		Body: trace.JSONText(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)}})
}

// wait lets time pass.
func (h *hand) wait(d time.Duration) {
	h.op(trace.Op{Name: "wait", Wait: d.String()})
	h.waits += d
}

// killed ends the process without a word.
func (h *hand) killed() {
	h.emit(trace.Event{Kind: trace.KindFault, Fault: &trace.Fault{Name: "kill", At: "somewhere"}})
	h.op(trace.Op{Name: "kill"})
	h.op(trace.Op{Name: "resume", Session: "s"})
}

// keep logs the blocks of an answer and makes them part of the conversation.
func (h *hand) keep(blocks ...string) {
	for _, b := range blocks {
		h.entry("assistant", fmt.Sprintf(`"message":{"id":"msg_%d","type":"message","role":"assistant","model":%s,"content":[%s]}`, h.calls, quote(h.model), b))
		h.say("assistant", b, "")
	}
}

// reply is answer and keep; what it stops for follows from the blocks.
func (h *hand) reply(blocks ...string) {
	stop := "end_turn"
	if strings.Contains(blocks[len(blocks)-1], `"tool_use"`) {
		stop = "tool_use"
	}
	h.answer(stop, blocks...)
	h.keep(blocks...)
}

// result logs and adds a tool result.
func (h *hand) result(block string) {
	h.entry("user", `"message":{"role":"user","content":[`+block+`]}`)
	h.say("user", block, "")
}

// rewind takes the conversation back to before a prompt.
func (h *hand) rewind(prompt string) {
	h.op(trace.Op{Name: "rewind", Target: prompt, Breaks: true})
	h.back(prompt)
	h.pin()
	h.standing()
}

func (h *hand) back(prompt string) {
	h.msgs = slices.Clone(h.msgs[:h.depth[prompt]+1])
	n := len(h.msgs) - 1
	h.msgs[n].blocks = slices.Clone(h.msgs[n].blocks[:h.within[prompt]])
	if len(h.msgs[n].blocks) == 0 || n == 0 {
		h.msgs = h.msgs[:n]
	}
	h.leaf = h.place[prompt]
}

func (h *hand) pin() {
	if h.leaf == "" {
		h.line(`"type":"last-prompt","leafUuid":null,"explicit":true,"emptyPath":true`)
		return
	}
	h.line(`"type":"last-prompt","leafUuid":` + quote(h.leaf) + `,"explicit":true`)
}

// again exits and resumes.
func (h *hand) again() {
	h.op(trace.Op{Name: "exit"})
	h.standing()
	h.op(trace.Op{Name: "resume", Session: "s"})
	h.standing()
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func reminder(text string) string { return "<system-reminder>\n" + text + "\n</system-reminder>" }

func textBlock(s string) string { return `{"type":"text","text":` + quote(s) + `}` }

func thinking(text, signature string) string {
	return fmt.Sprintf(`{"type":"thinking","thinking":%s,"signature":%s}`, quote(text), quote(signature))
}

func toolUse(id string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%s,"name":"Bash","input":{"command":"run %s"}}`, quote(id), id)
}

func toolResult(id, text string) string {
	return fmt.Sprintf(`{"type":"tool_result","tool_use_id":%s,"content":%s}`, quote(id), quote(text))
}

func judge(events []trace.Event) map[string]Result {
	j := New()
	for _, e := range events {
		j.Event(e)
	}
	out := map[string]Result{}
	for _, r := range j.Results() {
		out[r.Check] = r
	}
	return out
}

// brokenOnes lists the checks that are broken, sorted.
func brokenOnes(results map[string]Result) []string {
	out := []string{}
	for _, c := range Catalogue() {
		if results[c.ID].Verdict == Broken {
			out = append(out, c.ID)
		}
	}
	return out
}
