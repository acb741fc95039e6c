package sessionlog

// Kinds of chain entries (H-LOG-12). They are linked by their parents to a tree, whose roots have none (H-LOG-30); the
// chain runs through all of them, bookkeeping included (H-LOG-31). System entries are told apart by their subtype, known
// or not, and are not sent, local commands excepted (H-LOG-40, H-LOG-41). Progress is what others write: it is walked
// through and never sent (H-LOG-37).
const (
	User       = "user"
	Assistant  = "assistant"
	System     = "system"
	Attachment = "attachment"
	Progress   = "progress"
)

// ThinkingRefused is the subtype of a system entry behind which the thinking before it is not sent: the API refused it.
const ThinkingRefused = "thinking_refused"

// SyntheticModel is the model of an assistant entry that the harness made itself (H-LOG-29).
const SyntheticModel = "<synthetic>"

// Entry is one chain entry (H-LOG-12), made by the harness or read from a line. Byte fields hold JSON
// as it stands in the line.
type Entry struct {
	Order int    // place in the file: its offset in bytes
	Raw   []byte // the object as it stands in the line, nil before it is written (H-LOG-16)

	Type, Subtype string
	UUID          string
	Parent        string // "" for null
	Logical       string // logicalParentUuid, compact boundaries only (H-LOG-42)
	Time          string // ISO 8601 with milliseconds

	Sidechain, Meta, Team bool // an entry of an agent is a sidechain's, and never the main path's (H-LOG-35)
	Summary               bool // isCompactSummary: the entry behind a boundary (H-LOG-44)
	Hidden                bool // isVisibleInTranscriptOnly, which keeps all but a summary from being sent (H-LOG-90)
	Notice                bool // synthetic assistant, never sent (H-LOG-29)

	Typed     bool   // a prompt somebody typed (H-LOG-20)
	Source    string // promptSource of a prompt: "" for typed, queued, sdk
	Mode      string // permissionMode of a prompt, "" for default
	RequestID string // assistant
	Result    []byte // toolUseResult (H-LOG-21)
	CallEntry string // sourceToolAssistantUUID

	Message Message
	Attach  Attach
	Content []byte // JSON string of a system entry's content
	Level   string // of a system entry, "" for info
	Detail  []byte // further members of a system entry, JSON object, nil for none
	Compact []byte // compactMetadata of a boundary (H-LOG-42, H-LOG-43), JSON object
	Micro   []byte // microcompactMetadata of a microcompact_boundary (H-LOG-47), JSON object
}

// Message is the message of a user or assistant entry.
type Message struct {
	ID, Model    string
	Text         []byte  // JSON string, when content is a string (H-LOG-20)
	Blocks       []Block // otherwise
	StopReason   string  // "" for null
	StopSequence string  // "" for null
	Usage        []byte  // JSON object
}

// Block is one content block: its bytes and what the rules of the harness ask about it.
type Block struct {
	Raw    []byte
	Type   string
	ID     string // id of a call, tool_use_id of a result, those of server tools included
	Name   string // tool_use
	Signed bool   // thinking with a signature, redacted thinking with data
	Blank  bool   // text of nothing but white space
	Input  []byte // tool_use
}

// Attach is the attachment of an attachment entry (H-LOG-50).
type Attach struct {
	Type    string
	Event   string   // hookEvent of a hook's context
	Place   string   // where volatile text went: system, prompt, tail (H-LOG-54)
	Mode    string   // commandMode of a queued_command, whose prompt is Content (H-LOG-52)
	Content string   // bookkeeping: what the attachment is about, such as the memory text put in force
	Texts   [][]byte // rendered: JSON strings that entered the context here, nil for bookkeeping only
}

// IsThinking tells a thinking block of either kind.
func (b *Block) IsThinking() bool { return b.Type == "thinking" || b.Type == "redacted_thinking" }

// Boundary tells a compact boundary, which cuts the path (H-LOG-42, H-LOG-46).
func (e *Entry) Boundary() bool { return e.Type == System && e.Subtype == "compact_boundary" }

// Speech tells an entry the leaf choice counts: user or assistant (H-REB-2).
func (e *Entry) Speech() bool { return e.Type == User || e.Type == Assistant }
