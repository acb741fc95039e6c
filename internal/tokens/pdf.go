package tokens

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"io"
	"regexp"
)

// PageTokens is the weight of a page of a PDF. No source of the specification has a number; the documentation says
// 1,500 to 3,000 a page by how much stands on it, and recorded pages with little text weigh what an image of the
// older models at its bound does.
const PageTokens = 1568

// Pages is the weight of a PDF given as base64: of each of its pages, of one where they cannot be counted.
func (c *Counter) Pages(data []byte) float64 {
	file, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)))
	if err != nil {
		return PageTokens
	}
	return float64(max(1, ReadPDF(file).Pages)) * PageTokens
}

// PDF is what is read of a file without laying it out.
type PDF struct {
	Valid, Locked bool
	Pages         int // 0 when they cannot be counted
}

var (
	pdfPage    = regexp.MustCompile(`/Type\s*/Page[^s\w]`)
	pdfEncrypt = regexp.MustCompile(`/Encrypt\s*(\d+\s+\d+\s+R|<<)`)
	pdfStream  = regexp.MustCompile(`/Type\s*/ObjStm`)
)

// pdfUnpacked bounds what is unpacked to count pages, in bytes of one file.
const pdfUnpacked = 1 << 26

// ReadPDF counts the page objects of a file: those that stand plain and those packed into object streams.
func ReadPDF(file []byte) PDF {
	head := file[:min(len(file), 1024)]
	if !bytes.Contains(head, []byte("%PDF-")) {
		return PDF{}
	}
	doc := PDF{Valid: true, Locked: pdfEncrypt.Match(file)}
	if doc.Locked {
		return doc
	}
	doc.Pages = len(pdfPage.FindAllIndex(file, -1))
	left := pdfUnpacked
	for _, at := range pdfStream.FindAllIndex(file, -1) {
		objects := unpack(file[at[1]:], left)
		if left -= len(objects); left <= 0 {
			break
		}
		doc.Pages += len(pdfPage.FindAllIndex(objects, -1))
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
