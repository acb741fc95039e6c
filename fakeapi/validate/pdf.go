package validate

import (
	"encoding/base64"

	"harnessbench/internal/tokens"
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
	switch doc := tokens.ReadPDF(file[:n]); {
	case !doc.Valid:
		m.fault = pdfBroken.fault("path", m.path)
	case doc.Locked:
		m.fault = pdfLocked.fault("path", m.path)
	default:
		m.pages = doc.Pages
	}
	w.see(m)
	return nil
}
