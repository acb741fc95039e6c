package validate

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"

	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// medium is what the walk saw of one image or document. What it means for the request is judged with the
// conversation, because it depends on the model and on the other media.
type medium struct {
	fault         *Fault // nothing more to see in it
	mistyped      *Fault // its bytes are of another type than was said
	path          string // of its data
	place         string // of its block
	images, pages int
	width, height int
	pdf, strict   bool // strict: it is not to be scaled down
}

// claude3 names the generation of models that took an image of another type than was said, as a record of 2025 has it.
const claude3 = "3.x"

func (w *walk) see(m medium) { w.media = append(w.media, m) }

// album sums up the media of a conversation's beginning.
type album struct {
	images, pages int
	wide          string // path of the first image too wide for a request of many images
}

// media judges the media of one message and adds them up.
func (c *conversation) media(seen []medium) {
	for _, m := range seen {
		c.album.images += m.images
		c.album.pages += m.pages
		side := max(m.width, m.height)
		switch {
		case m.mistyped != nil && c.model.Tokenizer != claude3:
			c.report(rankMedia, m.mistyped)
		case m.fault != nil:
			c.report(rankMedia, m.fault)
		case side > model.MaxImageSide:
			c.report(rankMedia, imageSide.fault("path", m.path, "max", strconv.Itoa(model.MaxImageSide)))
		case m.pdf && c.model.MaxImages > 0 && m.pages > c.model.MaxImages:
			c.report(rankMedia, pdfPages.fault("path", m.path, "max", strconv.Itoa(c.model.MaxImages)))
		case m.strict:
			c.unscaled(m)
		}
		if side > model.MaxImageSideMany && c.album.wide == "" {
			c.album.wide = m.path
		}
	}
}

// unscaled refuses an image that would have to be scaled down.
func (c *conversation) unscaled(m medium) {
	w, h := fit(m.width, m.height, tokens.Generation(c.model).Pixels())
	if w != m.width || h != m.height {
		c.report(rankMedia, imageOversized.fault("path", m.place, "w", itoa(m.width), "h", itoa(m.height), "w2", itoa(w), "h2", itoa(h)))
	}
}

// fit is the largest size of an image's shape within the bounds of a model.
func fit(w, h int, p tokens.Pixels) (int, int) {
	const patch = 28
	long, short := max(w, h), min(w, h)
	if long == 0 {
		return w, h
	}
	fits := func(side int) bool {
		other := short * side / long
		return side <= p.Edge && ((side+patch-1)/patch)*((max(other, 1)+patch-1)/patch) <= p.Most
	}
	low, high := 0, long // the largest side that fits lies between them
	for low < high {
		if mid := (low + high + 1) / 2; fits(mid) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	other := short * low / long
	if w >= h {
		return low, other
	}
	return other, low
}

// judgeAlbum holds the rules about all media of the request together.
func (c *conversation) judgeAlbum() {
	a := c.album
	if a.images > model.ManyImages && a.wide != "" {
		c.report(rankMedia, imageSideMany.fault("path", a.wide, "max", strconv.Itoa(model.MaxImageSideMany)))
	}
	if most := c.model.MaxImages; most > 0 && a.images+a.pages > most {
		c.report(rankMedia, mediaMany.fault("pages", itoa(a.pages), "images", itoa(a.images), "max", itoa(most)))
	}
}

func isHTTPS(url string) bool { return len(url) >= 8 && strings.EqualFold(url[:8], "https://") }

// unquoted is the text of a string value, its own bytes where nothing is escaped.
func unquoted(v wire.Value) []byte {
	if v.Kind() != '"' {
		return nil
	}
	raw := v.Raw()
	if raw = raw[1 : len(raw)-1]; bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return []byte(v.Text())
}

// isBase64 tells whether a string is standard base64 of something.
func isBase64(v wire.Value) bool {
	raw := unquoted(v)
	if len(raw) == 0 {
		return false
	}
	if bytes.ContainsAny(raw, "\r\n") {
		_, err := base64.StdEncoding.DecodeString(string(raw))
		return err == nil
	}
	if len(raw)%4 != 0 {
		return false
	}
	body := bytes.TrimRight(raw, "=")
	if len(raw)-len(body) > 2 {
		return false
	}
	for _, c := range body {
		if !base64Byte[c] {
			return false
		}
	}
	return true
}

var base64Byte = func() (t [256]bool) {
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		t[c] = true
	}
	return t
}()
