package wire

// Splice replaces the bytes [Start, End) of a document by With.
type Splice struct {
	Start, End int
	With       []byte
}

// Apply makes the edited copy; splices must not overlap. Every byte outside them stays (architecture.md 3).
func Apply(body []byte, splices ...Splice) []byte { panic("unbuilt") }

// SetMember sets or adds a member of an object; RemoveMember takes one out with its comma (a splice
// that changes nothing when the member is absent); AppendElem adds to the end of an array; Replace
// exchanges the whole value. All address the document the value was parsed from.
func SetMember(object Value, name string, raw []byte) Splice { panic("unbuilt") }
func RemoveMember(object Value, name string) Splice          { panic("unbuilt") }
func AppendElem(array Value, raw []byte) Splice              { panic("unbuilt") }
func Replace(v Value, raw []byte) Splice                     { panic("unbuilt") }
