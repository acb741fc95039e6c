package tokens

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif" // registered for DecodeConfig
	_ "image/jpeg"
	_ "image/png"
	"io"
	"math"
)

const patch = 28 // pixels a token's side covers (messages-api.md 2.6)

// Image is the weight of an image of this size in pixels: ceil(w/28) x ceil(h/28) after the
// downscale of messages-api.md 2.6.
func (c *Counter) Image(width, height int) float64 {
	if width <= 0 || height <= 0 {
		return c.UnknownImage()
	}
	w, h := float64(width), float64(height)
	most := float64(c.Pixels().Most)
	scale := math.Min(1, float64(c.Pixels().Edge)/math.Max(w, h))
	for {
		n := math.Ceil(w*scale/patch) * math.Ceil(h*scale/patch)
		if n <= most {
			return n
		}
		scale *= math.Min(0.999, math.Sqrt(most/n))
	}
}

// UnknownImage is the weight of an image whose size cannot be read here (a URL, a file, a broken
// header): the cap of the older models on every model.
func (c *Counter) UnknownImage() float64 { return 1568 }

// ImageSize reads width and height from the header of base64 image data: PNG, JPEG, GIF or WebP.
func ImageSize(data []byte) (width, height int, ok bool) {
	head := make([]byte, 30)
	n, _ := io.ReadFull(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)), head)
	if w, h, ok := webpSize(head[:n]); ok {
		return w, h, true
	}
	cfg, _, err := image.DecodeConfig(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)))
	return cfg.Width, cfg.Height, err == nil
}

// webpSize reads the three headers a WebP file may begin with: extended, lossless, lossy.
func webpSize(b []byte) (width, height int, ok bool) {
	if len(b) < 30 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return 0, 0, false
	}
	at := func(i int) int { return int(b[i]) }
	switch string(b[12:16]) {
	case "VP8X":
		return 1 + at(24) + at(25)<<8 + at(26)<<16, 1 + at(27) + at(28)<<8 + at(29)<<16, true
	case "VP8L":
		return 1 + at(21) + (at(22)&0x3f)<<8, 1 + at(22)>>6 + at(23)<<2 + (at(24)&0x0f)<<10, true
	case "VP8 ":
		return at(26) + (at(27)&0x3f)<<8, at(28) + (at(29)&0x3f)<<8, true
	}
	return 0, 0, false
}
