package validate

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"io"
	"regexp"

	"harnessbench/internal/wire"
)

var (
	pdfEncoding = rule{id: "pdf.base64", area: "images", source: "messages-api.md 2.6", confidence: "medium",
		text: "{path}: invalid base64 data"}
	pdfBroken = rule{id: "pdf.invalid", area: "images", source: "api-verdicts-notes.md 5", confidence: "medium",
		text: "{path}: The PDF specified was not valid."}
	pdfLocked = rule{id: "pdf.password", area: "images", source: "api-verdicts.jsonl pdf-password", confidence: "high",
		text: "{path}: The PDF specified is password protected."}
	pdfPages = rule{id: "pdf.pages", area: "images", source: "api-verdicts.jsonl pdf-too-many-pages", confidence: "high", era: "100 pages on 200k windows, 600 on 1M",
		text: "{path}: A maximum of {max} PDF pages may be provided."}
)

// pdfData notes what a PDF shows of itself: its pages, whether it is locked. The paths of these refusals say pdf where
// those of the schema say document.
func pdfData(w *walk, _ owner, v wire.Value) *Fault {
	data := v.Get("data")
	if !isBase64(data) {
		return pdfEncoding.fault("path", w.where())
	}
	raw := unquoted(data)
	file := make([]byte, base64.StdEncoding.DecodedLen(len(raw)))
	n, err := base64.StdEncoding.Decode(file, raw)
	if err != nil {
		return pdfEncoding.fault("path", w.where())
	}
	m := medium{pdf: true, path: w.message() + ".pdf.source.base64.data"}
	switch doc := readPDF(file[:n]); {
	case !doc.valid:
		m.fault = pdfBroken.fault("path", m.path)
	case doc.locked:
		m.fault = pdfLocked.fault("path", m.path)
	default:
		m.pages = doc.pages
	}
	w.see(m)
	return nil
}

// pdf is what is read of a file without laying it out.
type pdf struct {
	valid, locked bool
	pages         int // 0 when they cannot be counted
}

var (
	pdfPage    = regexp.MustCompile(`/Type\s*/Page[^s\w]`)
	pdfEncrypt = regexp.MustCompile(`/Encrypt\s*(\d+\s+\d+\s+R|<<)`)
	pdfStream  = regexp.MustCompile(`/Type\s*/ObjStm`)
)

// pdfUnpacked bounds what is unpacked to count pages, in bytes of one file.
const pdfUnpacked = 1 << 26

// readPDF counts the page objects of a file: those that stand plain and those packed into object streams.
func readPDF(file []byte) pdf {
	head := file[:min(len(file), 1024)]
	if !bytes.Contains(head, []byte("%PDF-")) {
		return pdf{}
	}
	doc := pdf{valid: true, locked: pdfEncrypt.Match(file)}
	if doc.locked {
		return doc
	}
	doc.pages = len(pdfPage.FindAllIndex(file, -1))
	left := pdfUnpacked
	for _, at := range pdfStream.FindAllIndex(file, -1) {
		objects := unpack(file[at[1]:], left)
		if left -= len(objects); left <= 0 {
			break
		}
		doc.pages += len(pdfPage.FindAllIndex(objects, -1))
	}
	return doc
}

// unpack reads the deflated stream that begins next, up to most bytes of it; nil when there is none that can be read.
func unpack(rest []byte, most int) []byte {
	i := bytes.Index(rest, []byte("stream"))
	if i < 0 {
		return nil
	}
	rest = bytes.TrimLeft(rest[i+len("stream"):], "\r\n")
	z, err := zlib.NewReader(bytes.NewReader(rest))
	if err != nil {
		return nil
	}
	out, err := io.ReadAll(io.LimitReader(z, int64(most)))
	if err != nil && len(out) == 0 {
		return nil
	}
	return out
}
