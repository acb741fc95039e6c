package validate

import "harnessbench/internal/wire"

// Every lists all faults of a request in the order in which the API would come upon them, and what was not judged.
// The API itself reports the first one only. Rules that relate fields to each other are left out where one of the
// fields is not well formed, and those of a model where the model is unknown.
func Every(body []byte, h Headers, keys []string) (faults []*Fault, notJudged []string) {
	hd := readHead(h)
	for _, f := range [...]*Fault{CheckKey(h, keys), checkVersion(hd), checkBetas(hd)} {
		if f != nil {
			faults = append(faults, f)
		}
	}
	req, err := wire.ParseWhole(nil, body)
	if err != nil {
		return append(faults, SyntaxFault(err)), nil
	}
	r := &reading{req: req, walk: walk{head: hd, every: &faults}, order: stops}
	if t := req.Get("thread").Get("type").Text(); t == "continue" && hd.has(ThreadBeta) {
		r.part = true // what the server keeps of the conversation is not seen here
		if f := r.schema(r.order); f != nil {
			faults = append(faults, f)
		}
		return faults, []string{"messages"}
	}
	c, f := r.check(nil)
	if f != nil {
		faults = append(faults, f)
	}
	if c != nil {
		notJudged = c.NotJudged
	}
	return faults, notJudged
}

// everyOfConversation adds the faults of the conversation's shape, when every fault is asked for.
func (r *reading) everyOfConversation() {
	if r.walk.every == nil {
		return
	}
	for _, all := range r.conv.all {
		*r.walk.every = append(*r.walk.every, all...)
	}
}
