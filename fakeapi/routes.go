package fakeapi

import (
	"net/url"
	"strings"
	"time"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/model"
)

// handle answers one request without regard to faults on demand.
func (s *Server) handle(now time.Time, req Request) Response {
	x := &exchange{s: s, now: now, head: headers(req.Header), id: s.ids.timed("req_", now), atOnce: req.AtOnce, speed: req.Speed}
	x.account = s.accountOf(x.head)
	x.view.RequestID = x.id
	if len(req.Body) > MaxBody(req.Path) {
		return x.refuse(validate.Told(RuleTooLarge))
	}
	resp := x.route(req)
	if req.Method == "HEAD" { // the headers of a GET
		resp.Frames = []Frame{{After: resp.Frames[0].After}}
	}
	return resp
}

// MaxBody is the most bytes that a body may have on a path of the API.
func MaxBody(path string) int {
	if path, _, _ = strings.Cut(path, "?"); path == batchesPath {
		return model.MaxBatchBytes
	}
	return model.MaxBodyBytes
}

// route finds the endpoint. beta=true and beta=false change nothing (messages-api.md 1.1). On / there is nothing,
// which is what clients that warm up a connection get to hear.
func (x *exchange) route(req Request) Response {
	path, query, _ := strings.Cut(req.Path, "?")
	if rest, below := strings.CutPrefix(req.Path, batchesPath); below && (rest == "" || rest[0] == '/' || rest[0] == '?') {
		return x.batchRoute(req, rest)
	}
	switch id, isModel := strings.CutPrefix(path, "/v1/models/"); {
	case path == "/v1/messages":
		return x.posted(req, x.messages)
	case path == "/v1/messages/count_tokens":
		return x.posted(req, x.countTokens)
	case path == "/v1/models":
		return x.read(req, func() Response { return x.listModels(query) })
	case isModel && id != "" && !strings.Contains(id, "/"):
		return x.read(req, func() Response { return x.oneModel(id) })
	}
	return x.refuse(validate.Told(RuleNotFound))
}

// posted runs an endpoint that takes a body.
func (x *exchange) posted(req Request, answer func(body []byte) Response) Response {
	if fault := x.enter(req.Method, "POST"); fault != nil {
		return x.refuse(fault)
	}
	body, fault := decoded(req.Body, x.head.Get("content-encoding"), MaxBody(req.Path))
	if fault != nil {
		return x.refuse(fault)
	}
	return answer(body)
}

// read runs an endpoint that is read.
func (x *exchange) read(req Request, answer func() Response) Response {
	method := req.Method
	if method == "HEAD" {
		method = "GET"
	}
	if fault := x.enter(method, "GET"); fault != nil {
		return x.refuse(fault)
	}
	return answer()
}

// enter checks what comes before the body: the method, the key, the other headers.
func (x *exchange) enter(method, want string) *validate.Fault {
	if method != want {
		x.allow = want
		return validate.Told(RuleMethod)
	}
	if fault := validate.CheckKey(x.head, x.s.keys()); fault != nil {
		return fault
	}
	x.known = true
	return validate.CheckVersion(x.head)
}

// unescaped is a path segment or a query value as text.
func unescaped(s string) string {
	if text, err := url.PathUnescape(s); err == nil {
		return text
	}
	return s
}
