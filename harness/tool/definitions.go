package tool

import (
	"slices"
	"strconv"

	"harnessbench/harness/sessionlog"
)

// Definition is one tool: what the model is told of it, and what the harness knows of it (H-TOOL-4).
type Definition struct {
	Name string
	// ReadOnly changes nothing; Parallel may run beside other calls (H-LOOP-11), with Bash only for commands that read.
	ReadOnly, Parallel bool
	Compactable        bool // an old result may be cleared
	Tracked            bool // it writes files, which are snapshotted first (H-TOOL-22)
	// MaxResultChars is how long a result may be before it is spilled, in characters (H-TOOL-71); 0: never spilled.
	MaxResultChars int

	says   string
	params []param
	runs   string // teaching profile: the tool of the full one that it is
}

// param is one parameter of a tool.
type param struct {
	name, kind string // kind: string, integer, boolean or array
	says       string
	required   bool
	least      int      // of an integer; 0 for none
	among      []string // of a string: the values there are
	items      string   // schema of an array's elements; "" for strings
	as         string   // teaching profile: the parameter of the full one that it is
}

// Set is the tools that one profile offers.
type Set struct{ table []Definition }

// Full is the tools of a session (H-TOOL-1), Snipping the same with the tool Snip at its end (H-CMP-17); Teaching those of
// profile=teaching (H-TOOL-6); Logged all of them, for reading logs of either.
func Full() Set     { return Set{table[:]} }
func Snipping() Set { return Set{slices.Concat(table[:], []Definition{snip})} }
func Teaching() Set { return Set{taught[:]} }
func Logged() Set   { return Set{slices.Concat(Snipping().table, taught[:])} }

// Lookup finds a tool by its name, case and all; Task is another name of Agent (H-TOOL-1).
func (s Set) Lookup(name string) (Definition, bool) {
	if name == "Task" {
		name = "Agent"
	}
	i := slices.IndexFunc(s.table, func(d Definition) bool { return d.Name == name })
	if i < 0 {
		return Definition{}, false
	}
	return s.table[i], true
}

// Table is the tools in the order they are sent; the caller may keep it.
func (s Set) Table() []Definition { return slices.Clone(s.table) }

// Definitions is the tools array of every request: complete, in fixed order, the same bytes each time (H-ARCH-5,
// H-REB-44).
func (s Set) Definitions() []byte {
	b := []byte{'['}
	for i := range s.table {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.table[i].append(b)
	}
	return append(b, ']')
}

func (d *Definition) append(b []byte) []byte {
	b = append(append(b, `{"name":`...), sessionlog.Quote(d.Name)...)
	b = append(append(b, `,"description":`...), sessionlog.Quote(d.says)...)
	b = append(b, `,"input_schema":{"type":"object","properties":{`...)
	for i := range d.params {
		if i > 0 {
			b = append(b, ',')
		}
		b = d.params[i].append(b)
	}
	b = append(b, '}')
	sep := `,"required":[`
	for i := range d.params {
		if p := &d.params[i]; p.required {
			b = append(append(b, sep...), sessionlog.Quote(p.name)...)
			sep = ","
		}
	}
	if sep == "," {
		b = append(b, ']')
	}
	return append(b, "}}"...)
}

func (p *param) append(b []byte) []byte {
	b = append(append(b, sessionlog.Quote(p.name)...), `:{"type":`...)
	b = append(b, sessionlog.Quote(p.kind)...)
	if p.kind == "array" {
		items := p.items
		if items == "" {
			items = `{"type":"string"}`
		}
		b = append(append(b, `,"items":`...), items...)
	}
	for i, value := range p.among {
		if i == 0 {
			b = append(b, `,"enum":[`...)
		} else {
			b = append(b, ',')
		}
		b = append(b, sessionlog.Quote(value)...)
	}
	if len(p.among) > 0 {
		b = append(b, ']')
	}
	if p.least != 0 {
		b = strconv.AppendInt(append(b, `,"minimum":`...), int64(p.least), 10)
	}
	return append(append(append(b, `,"description":`...), sessionlog.Quote(p.says)...), '}')
}
