package validate_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	imagepng "image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// files are a small image in each of the four formats, by media type.
func files() map[string][]byte {
	img := image.NewPaletted(image.Rect(0, 0, 9, 7), palette.Plan9)
	write := func(to func(b *bytes.Buffer) error) []byte {
		var b bytes.Buffer
		if err := to(&b); err != nil {
			panic(err)
		}
		return b.Bytes()
	}
	return map[string][]byte{
		"image/png":  write(func(b *bytes.Buffer) error { return imagepng.Encode(b, img) }),
		"image/jpeg": write(func(b *bytes.Buffer) error { return jpeg.Encode(b, img, nil) }),
		"image/gif":  write(func(b *bytes.Buffer) error { return gif.Encode(b, img, nil) }),
		"image/webp": webp(),
	}
}

// webp is the frame of a lossless image of 9 by 7 pixels.
func webp() []byte {
	pixels := []byte{0x2f, 8, 0x80, 1, 0, 0x88, 0x88, 8, 7, 0x10, 0x11, 0}
	body := append([]byte("WEBPVP8L"), binary.LittleEndian.AppendUint32(nil, uint32(len(pixels)))...)
	body = append(body, pixels...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// riff is a WebP file of these chunks.
func riff(chunks []byte) []byte {
	body := append([]byte("WEBP"), chunks...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// vp8x is the chunk that an animation of 9 by 7 pixels begins with.
func vp8x() []byte {
	return append(binary.LittleEndian.AppendUint32([]byte("VP8X"), 10), 0x02, 0, 0, 0, 8, 0, 0, 6, 0, 0)
}

// animated is the frame of an animation: a chunk, one frame of an animation, more bytes in it than its pixels need.
func animated(chunk []byte, more int) []byte {
	pixels := append(make([]byte, 16), webp()[12:]...)
	pixels = append(pixels, make([]byte, more)...)
	file := append(vp8x(), chunk...)
	file = append(append(file, "ANMF"...), binary.LittleEndian.AppendUint32(nil, uint32(len(pixels)))...)
	file = append(file, pixels...)
	return riff(append(file, make([]byte, len(pixels)%2)...))
}

func imageOf(media string, file []byte) string {
	return `{"type":"image","source":{"type":"base64","media_type":"` + media + `","data":"` + base64.StdEncoding.EncodeToString(file) + `"}}`
}

func whatPicturesSayOfThemselves(run func(...row)) {
	shown := files()
	asked := func(b string) string { return talk(user(text + "," + b)) }
	result := func(b string) string {
		return talk(u, assistant(callA), user(`{"type":"tool_result","tool_use_id":"toolu_a","content":[`+b+`]}`))
	}
	old := func(over string) string { return `{"model":"claude-3-5-sonnet-20240620",` + over[1:] }
	jpegAsPNG := imageOf("image/png", shown["image/jpeg"])
	run(
		row{rule: "image.media-type", bad: asked(jpegAsPNG), good: asked(imageOf("image/jpeg", shown["image/jpeg"])),
			want: "messages.0.content.1.image.source.base64: The image was specified using the image/png media type, but the image appears to be a image/jpeg image"},
		row{rule: "image.media-type", bad: asked(jpegAsPNG), good: old(asked(jpegAsPNG)),
			want: "messages.0.content.1.image.source.base64: The image was specified using the image/png media type, but the image appears to be a image/jpeg image"},
		row{rule: "image.media-type", bad: result(imageOf("image/jpeg", shown["image/webp"])), good: result(imageOf("image/webp", shown["image/webp"])),
			want: "messages.2.content.0.tool_result.content.0.image.source.base64: The image was specified using the image/jpeg media type, but the image appears to be a image/webp image"},
		row{rule: "image.media-type", bad: asked(imageOf("image/webp", shown["image/gif"])), good: asked(imageOf("image/gif", shown["image/gif"])),
			want: "messages.0.content.1.image.source.base64: The image was specified using the image/webp media type, but the image appears to be a image/gif image"},
		row{rule: "image.media-type", bad: asked(imageOf("image/gif", shown["image/png"])), good: asked(imageOf("image/png", shown["image/png"])),
			want: "messages.0.content.1.image.source.base64: The image was specified using the image/gif media type, but the image appears to be a image/png image"},
	)
	for media, file := range shown {
		cut := file[:len(file)-4]
		if media == "image/gif" {
			cut = file[:len(file)-2] // decoders do without the trailer, which is the last byte
		}
		run(row{rule: "image.undecodable", bad: asked(imageOf(media, cut)), good: asked(imageOf(media, append(file[:len(file):len(file)], "behind the end"...))),
			want: "Could not process image"})
		run(row{rule: "image.undecodable", bad: result(imageOf(media, cut)), good: result(imageOf(media, file)), want: "Could not process image"})
	}
}

// An image cut anywhere is refused, none of its beginnings breaks the server.
func TestAPictureCutAnywhereIsRefused(t *testing.T) {
	for media, file := range files() {
		end := len(file)
		if media == "image/gif" {
			end-- // it may lack the trailer
		}
		for n := 1; n < end; n++ {
			_, f := check(t, overlay(t, talk(user(text+","+imageOf(media, file[:n])))), usual(""))
			require.NotNil(t, f, "%s, %d of %d bytes", media, n, len(file))
			assert.Equal(t, "Could not process image", f.Message)
		}
	}
}

// A frame that contradicts itself is refused, what decoders pass over is not.
func TestTheFrameOfAPicture(t *testing.T) {
	shown := files()
	changed := func(media string, at int, to ...byte) []byte {
		file := bytes.Clone(shown[media])
		copy(file[at:], to)
		return file
	}
	spliced := func(media string, at int, in ...byte) []byte {
		file := shown[media]
		return append(append(bytes.Clone(file[:at]), in...), file[at:]...)
	}
	gifEnd := len(shown["image/gif"]) - 1
	comment := append(bytes.Clone(shown["image/gif"][:gifEnd]), 0x21, 0xfe, 3, 'x')
	odd := append(binary.LittleEndian.AppendUint32([]byte("ICCP"), 3), "abc\x00"...)
	for name, c := range map[string]struct {
		media string
		file  []byte
		good  bool
	}{
		"png, a chunk longer than the file":      {"image/png", changed("image/png", 33, 0x7f), false},
		"png, no pixels":                         {"image/png", append(bytes.Clone(shown["image/png"][:33]), shown["image/png"][len(shown["image/png"])-12:]...), false},
		"png, a chunk nobody knows":              {"image/png", spliced("image/png", 33, 0, 0, 0, 0, 'x', 'x', 'X', 'x', 0xf9, 0x91, 0x40, 0xd5), true},
		"jpeg, a segment without marker":         {"image/jpeg", spliced("image/jpeg", 2, 1, 2, 3), false},
		"jpeg, filling before a marker":          {"image/jpeg", spliced("image/jpeg", 2, 0xff), true},
		"jpeg, a comment":                        {"image/jpeg", spliced("image/jpeg", 2, 0xff, 0xfe, 0, 3, 'x'), true},
		"gif, a comment":                         {"image/gif", spliced("image/gif", 13+768, 0x21, 0xfe, 1, 'x', 0), true},
		"gif, a block nobody knows":              {"image/gif", spliced("image/gif", 13+768, 0x77), false},
		"webp, the container longer than itself": {"image/webp", changed("image/webp", 4, 0xff), false},
		"jpeg, zeros between segments":           {"image/jpeg", spliced("image/jpeg", 136, 0, 0, 0), true},
		"jpeg, zeros and no more":                {"image/jpeg", append(bytes.Clone(shown["image/jpeg"][:2]), 0xff, 0xfe, 0, 2, 0, 0, 0, 0), false},
		"gif, no trailer":                        {"image/gif", shown["image/gif"][:gifEnd], true},
		"gif, a zero before the trailer":         {"image/gif", spliced("image/gif", gifEnd, 0), true},
		"gif, cut in a comment behind the image": {"image/gif", comment, false},
		"gif, no image":                          {"image/gif", shown["image/gif"][:13+768], false},
		"webp, an odd chunk before the pixels":   {"image/webp", animated(odd, 0), true},
		"webp, an odd chunk without its filling": {"image/webp", animated(odd[:len(odd)-1], 0), false},
		"webp, an odd last chunk":                {"image/webp", animated(nil, 1), true},
		"webp, an animation cut":                 {"image/webp", animated(odd, 0)[:60], false},
		"webp, an animation without frames":      {"image/webp", riff(vp8x()), false},
		"webp, a chunk behind the pixels":        {"image/webp", append(changed("image/webp", 4, byte(len(webp())-8+len(odd))), odd...), true},
	} {
		t.Run(name, func(t *testing.T) {
			_, f := check(t, overlay(t, talk(user(text+","+imageOf(c.media, c.file)))), usual(""))
			if c.good {
				assert.Nil(t, f)
				return
			}
			require.NotNil(t, f)
			assert.Equal(t, "Could not process image", f.Message)
		})
	}
}
