package validate

import (
	"encoding/json"
	"strings"

	"harnessbench/internal/wire"
)

// ThreadBeta opens the field `thread` (messages-api.md 2.10).
const ThreadBeta = "message-threads-2026-08-12"

var threadOrigin = origin{"threads", "messages-api.md 2.10", "medium"}

var threadField = &union{
	origin: threadOrigin, name: "thread",
	arms: []arm{
		{tag: "continue", shape: threadArm("continue", field{name: "previous_message_id", required: true, check: str{nonEmpty: true}})},
		{tag: "create", shape: threadArm("create")},
	},
}

func threadArm(tag string, fields ...field) *object {
	return &object{origin: threadOrigin, name: "thread." + tag, wrong: notObject,
		fields: append([]field{{name: "type", check: anything{}}}, fields...)}
}

// The codes and the status of these are known, their texts are not (messages-api.md 13, item 5), but for the
// beginning of threadMarks.
var (
	threadNotFound = rule{id: "thread.not-found", area: "threads", source: "messages-api.md 2.10", confidence: "low",
		status: 404, kind: "not_found_error",
		text: "thread.previous_message_id: no thread to continue was found for message {id}. It is unknown, was not kept, or has expired."}
	threadContinued = rule{id: "thread.already-continued", area: "threads", source: "messages-api.md 2.10", confidence: "low",
		text: "thread.previous_message_id: message {id} has already been continued. A message can be continued once."}
	threadInFlight = rule{id: "thread.continue-in-flight", area: "threads", source: "messages-api.md 2.10", confidence: "low",
		text: "thread.previous_message_id: another request that continues message {id} is in progress."}
	threadFingerprint = rule{id: "thread.fingerprint", area: "threads", source: "messages-api.md 2.10", confidence: "low",
		text: "thread: these fields must be the same as in the request that created the thread: {fields}."}
	threadFields = rule{id: "thread.unsupported", area: "threads", source: "messages-api.md 2.10", confidence: "low",
		text: "thread: not supported together with {fields}."}
	threadMarks = rule{id: "thread.markers", area: "threads", source: "messages-api.md 2.10", confidence: "low",
		text: "thread: a maximum of {max} blocks with cache_control may be provided when thread is set. Found {n}."}
	threadAccount = rule{id: "thread.unsupported-here", area: "threads", source: "messages-api.md 2.10", confidence: "low",
		text: "thread: message threads are not supported for this organization."}
	threadNothingPaused = rule{id: "thread.nothing-to-resume", area: "threads", source: "messages-api.md 2.10", confidence: "low",
		text: "messages: at least one message is required"}
)

func threadRules() []rule {
	return []rule{threadAccount, threadFields, threadMarks, threadNotFound, threadContinued, threadInFlight, threadFingerprint, threadNothingPaused}
}

// coded adds error.details; the list of what is unsupported may be absent.
func (f *Fault) coded(code string, unsupported ...string) *Fault {
	raw, err := json.Marshal(struct {
		Code        string   `json:"error_code"`
		Unsupported []string `json:"unsupported,omitempty"`
	}{code, unsupported})
	if err != nil { // strings always marshal
		return f
	}
	f.Details = string(raw)
	return f
}

const unsupportedRequest = "thread_unsupported_request"

// ThreadNotFound says that the message is unknown, expired, never kept or of another workspace.
func ThreadNotFound(id string) *Fault {
	return threadNotFound.fault("id", id).coded("thread_not_found")
}

// ThreadContinued says that the message was continued before.
func ThreadContinued(id string) *Fault {
	return threadContinued.fault("id", id).coded("thread_already_continued")
}

// ThreadInFlight says that another request that continues the message has not ended.
func ThreadInFlight(id string) *Fault {
	return threadInFlight.fault("id", id).coded("thread_continue_in_flight")
}

// ThreadFingerprint names the fixed fields that differ.
func ThreadFingerprint(fields []string) *Fault {
	return threadFingerprint.fault("fields", strings.Join(fields, ", ")).coded("thread_fingerprint_mismatch")
}

// ThreadFields names fields that a thread does not take.
func ThreadFields(fields []string, unsupported ...string) *Fault {
	return threadFields.fault("fields", strings.Join(fields, ", ")).coded(unsupportedRequest, unsupported...)
}

// ThreadMarks says that there are more cache_control marks than a thread takes.
func ThreadMarks(limit, n int) *Fault {
	return threadMarks.fault("max", itoa(limit), "n", itoa(n)).coded(unsupportedRequest, "cache_control")
}

// ThreadAccount speaks for a server or an organisation without threads; unsupported names the settings, or nothing.
func ThreadAccount(unsupported []string) *Fault {
	return threadAccount.fault().coded(unsupportedRequest, unsupported...)
}

// ThreadNothingPaused refuses a continue without messages, whose predecessor was no pause_turn.
func ThreadNothingPaused() *Fault { return threadNothingPaused.fault() }

// CheckPart judges the schema of a request of a thread. A continue holds a part of its conversation only; the whole
// goes through Check once it is put together.
func CheckPart(req *wire.Request, h Headers) *Fault {
	kind, _ := Thread(req, h)
	r := &reading{req: req, walk: walk{head: readHead(h)}, order: stops, part: kind == "continue"}
	return r.schema(r.order)
}

// CheckResumed is Check for a conversation that ends in a paused assistant turn, which is no prefill.
func CheckResumed(prev *Checked, req *wire.Request, h Headers) (*Checked, *Fault) {
	r := &reading{req: req, walk: walk{head: readHead(h)}, order: stops, paused: true}
	return r.check(prev)
}

// Thread reads the field: the kind, "" when there is none or its header is missing, and the message a continue
// names.
func Thread(req *wire.Request, h Headers) (kind, previous string) {
	t := req.Get("thread")
	if t.Kind() != '{' || !readHead(h).has(ThreadBeta) {
		return "", ""
	}
	return t.Get("type").Text(), t.Get("previous_message_id").Text()
}
