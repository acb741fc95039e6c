package headless

import (
	"strconv"

	"harnessbench/harness/sessionlog"
)

// object builds a JSON object member by member, in the order they are given (H-ARCH-22).
type object struct{ buf []byte }

func (o *object) raw(name string, value []byte) {
	if len(o.buf) == 0 {
		o.buf = append(o.buf, '{')
	} else {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(append(append(o.buf, sessionlog.Quote(name)...), ':'), value...)
}

func (o *object) str(name, value string) { o.raw(name, sessionlog.Quote(value)) }

func (o *object) num(name string, n int64) { o.raw(name, strconv.AppendInt(nil, n, 10)) }

func (o *object) float(name string, f float64) { o.raw(name, strconv.AppendFloat(nil, f, 'f', -1, 64)) }

func (o *object) flag(name string, b bool) { o.raw(name, strconv.AppendBool(nil, b)) }

func (o *object) strs(name string, values []string) {
	out := []byte{'['}
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, sessionlog.Quote(v)...)
	}
	o.raw(name, append(out, ']'))
}

// end is the whole object.
func (o *object) end() []byte {
	if len(o.buf) == 0 {
		return []byte("{}")
	}
	return append(o.buf, '}')
}
