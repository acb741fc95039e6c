package golden

import "strconv"

// naming counts what a step has named, by letter.
type naming map[string]int

// single names what a step mostly has once: u, u2, u3.
func (n naming) single(step int, letter string) string {
	n[letter]++
	if n[letter] == 1 {
		return strconv.Itoa(step) + letter
	}
	return strconv.Itoa(step) + letter + strconv.Itoa(n[letter])
}

// numbered names what a step may have many of: a1, a2, a3.
func (n naming) numbered(step int, letter string) string {
	n[letter]++
	return strconv.Itoa(step) + letter + strconv.Itoa(n[letter])
}

// call names a call of the step: 4.1.
func (n naming) call(step int) string { return n.numbered(step, ".") }

// run is a tool call: its number in the step whose answer made it.
type run struct{ step, number int }

// in names the run inside a step.
func (t run) in(step int) string {
	if t.step == step {
		return "run#" + strconv.Itoa(t.number)
	}
	return "run#" + strconv.Itoa(t.number) + " of step " + strconv.Itoa(t.step)
}
