package invariant

// SoFar lists what the checks have found in the events up to now, in the order of the catalogue and, within a check,
// as found. The run goes on; what a check holds back for its end is not among them.
func (j *Judge) SoFar() []Finding {
	var out []Finding
	for _, r := range j.running {
		out = append(out, r.tally.findings...)
	}
	return out
}
