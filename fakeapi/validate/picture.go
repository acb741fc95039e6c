package validate

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
)

// picture is what the bytes of an image say of themselves without being drawn.
type picture struct {
	media string // the media type that the first bytes name, "" for none of the four
	whole bool   // its parts are there to the end
}

// readPicture reads base64 data that was found to be that. Only the frame of the file is walked: real clients send
// pixels that some decoders take and others do not.
func readPicture(data []byte) picture {
	file := make([]byte, base64.StdEncoding.DecodedLen(len(data)))
	n, err := base64.StdEncoding.Decode(file, data)
	if err != nil {
		return picture{}
	}
	for _, form := range forms {
		if form.begins(file[:n]) {
			return picture{form.media, form.whole(file[:n])}
		}
	}
	return picture{}
}

// forms are the image formats of messages-api.md 2.6.
var forms = [...]struct {
	media  string
	begins func(file []byte) bool
	whole  func(file []byte) bool
}{
	{"image/png", begin("\x89PNG\r\n\x1a\n"), wholePNG},
	{"image/jpeg", begin("\xff\xd8\xff"), wholeJPEG},
	{"image/gif", begin("GIF8"), wholeGIF},
	{"image/webp", func(file []byte) bool {
		return len(file) >= 12 && string(file[:4]) == "RIFF" && string(file[8:12]) == "WEBP"
	}, wholeWebP},
}

func begin(magic string) func([]byte) bool {
	return func(file []byte) bool { return bytes.HasPrefix(file, []byte(magic)) }
}

// wholePNG walks the chunks up to IEND; pixels must have come before it.
func wholePNG(file []byte) bool {
	const frame = 12 // length, name and checksum of a chunk
	pixels := false
	for at := 8; at+frame <= len(file); {
		size, name := int(binary.BigEndian.Uint32(file[at:])), string(file[at+4:at+8])
		if size > len(file)-at-frame {
			return false
		}
		switch name {
		case "IDAT":
			pixels = true
		case "IEND":
			return pixels
		}
		at += frame + size
	}
	return false
}

// wholeJPEG walks the segments up to the first scan, behind which the end of the image must come. Zeros between
// segments are passed over, as decoders do.
func wholeJPEG(file []byte) bool {
	for at := 2; at+4 <= len(file); {
		if file[at] == 0 {
			at++
			continue
		}
		if file[at] != 0xff {
			return false
		}
		marker := file[at+1]
		if marker == 0xff || marker == 0x01 || marker >= 0xd0 && marker <= 0xd7 { // filling, and markers without a length
			at++
			if marker != 0xff {
				at++
			}
			continue
		}
		size := int(binary.BigEndian.Uint16(file[at+2:]))
		if size < 2 || size > len(file)-at-2 {
			return false
		}
		at += 2 + size
		if marker == 0xda {
			return bytes.Contains(file[at:], []byte{0xff, 0xd9})
		}
	}
	return false
}

// wholeGIF walks the blocks up to the trailer or, where that is missing, to the end of the file; an image must have come
// before it. Zeros between blocks are passed over, as decoders do.
func wholeGIF(file []byte) bool {
	const screen, descriptor = 13, 10
	if len(file) < screen {
		return false
	}
	image := false
	for at := screen + colours(file[10]); at < len(file); {
		switch file[at] {
		case 0x3b:
			return image
		case 0:
			at++
			continue
		case 0x21:
			at += 2
		case 0x2c:
			if at+descriptor > len(file) {
				return false
			}
			image = true
			at += descriptor + colours(file[at+9]) + 1
		default:
			return false
		}
		for at < len(file) && file[at] != 0 { // pieces, each behind its length
			at += 1 + int(file[at])
		}
		if at >= len(file) {
			return false
		}
		at++
	}
	return image
}

// colours is the size of the colour table that packed flags of a GIF announce, in bytes.
func colours(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// wholeWebP holds the length of the container against the file, and wants a chunk of pixels in it.
func wholeWebP(file []byte) bool {
	const frame = 8 // name and length of a chunk
	end := frame + int(binary.LittleEndian.Uint32(file[4:]))
	if end > len(file) {
		return false
	}
	for at := 12; at+frame <= end; {
		size := int(binary.LittleEndian.Uint32(file[at+4:]))
		if size > end-at-frame {
			return false
		}
		switch string(file[at : at+4]) {
		case "VP8 ", "VP8L", "ANMF":
			return true
		}
		at += frame + size + size%2
	}
	return false
}
