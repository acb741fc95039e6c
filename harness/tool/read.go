package tool

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
)

// MaxReadTokens is how much of a file one Read shows, by the estimate of H-ACC-4 (H-TOOL-11).
const MaxReadTokens = 25_000

// bytesPerToken is the estimate of H-ACC-4.
const bytesPerToken = 4

// Text is a file's bytes as text: what is not UTF-8 becomes U+FFFD, as it does in the log.
func Text(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	return string([]rune(string(data)))
}

// Page is the lines of a text that a call asks for, in the text's own bytes with their line feeds; lines is how many
// they are and total how many the text has. A text that ends without a line feed ends in a line all the same.
func (c *Call) Page(text string) (page string, lines, total int) {
	total = strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		total++
	}
	rest := text
	for i := 1; i < c.From && rest != ""; i++ {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	if c.From > total {
		return "", 0, total
	}
	lines = total - c.From + 1
	if c.N > 0 && c.N < lines {
		lines = c.N
	}
	end := 0
	for range lines {
		i := strings.IndexByte(rest[end:], '\n')
		if i < 0 {
			end = len(rest)
			break
		}
		end += i + 1
	}
	return rest[:end], lines, total
}

// Ranged tells a call that names a part of the file.
func (c *Call) Ranged() bool { return c.From > 1 || c.N > 0 }

// readResult numbers the lines asked for, with the numbers they have in the file (H-TOOL-10 to H-TOOL-12).
func (c *Call) readResult(text string) Result {
	page, lines, total := c.Page(text)
	switch {
	case text == "":
		return Result{Text: inject.EmptyFile, Structured: c.readStructured("", 0, 0)}
	case lines == 0:
		warning := fmt.Sprintf("Warning: the file has %d lines; line %d is beyond its end.", total, c.From)
		return Result{Text: inject.Reminder(warning), Structured: c.readStructured("", 0, total)}
	}
	shown := number(page, c.From)
	if tokens := (len(shown) + bytesPerToken - 1) / bytesPerToken; tokens > MaxReadTokens {
		if c.Ranged() {
			return Failed(Error(fmt.Sprintf("these %d lines of %s have about %d tokens, more than the %d that one Read shows: "+
				"ask for fewer with offset and limit, or search the file", lines, c.Path, tokens, MaxReadTokens)))
		}
		return c.firstPage(page, total)
	}
	return Result{Text: shown, Structured: c.readStructured(page, lines, total)}
}

// firstPage is as much of a whole file as one Read shows, and a notice that there is more (H-TOOL-11).
func (c *Call) firstPage(text string, total int) Result {
	end, lines := first(text)
	what := fmt.Sprintf("lines 1 to %d of %d", lines, total)
	next := fmt.Sprintf("Go on with offset %d and a limit, or search the file.", lines+1)
	if lines == 0 {
		what = fmt.Sprintf("the first %d bytes of line 1 of %d", end, total)
		next = "Search the file, or cut it with a command."
	}
	notice := inject.Reminder("PARTIAL view: " + c.Path + " is too long for one Read; these are " + what + ". " + next)
	return Result{Text: number(text[:end], 1) + "\n" + notice, Structured: c.readStructured(text[:end], lines, total)}
}

// first is where the lines end that one Read shows of a text, and how many they are: none when the first line is itself
// too long, of which the beginning is shown.
func first(text string) (end, lines int) {
	const room = MaxReadTokens * bytesPerToken
	size := 0
	for end < len(text) {
		i := strings.IndexByte(text[end:], '\n') + 1
		if i == 0 {
			i = len(text) - end
		}
		size += i + len(strconv.Itoa(lines+1)) + 1
		if size > room {
			break
		}
		end, lines = end+i, lines+1
	}
	if lines > 0 || text == "" {
		return end, lines
	}
	for end = room - len("1\t"); !utf8.RuneStart(text[end]); end-- {
	}
	return end, 0
}

// FirstPart is what a Read of a whole text shows that is too long for one.
func FirstPart(text string) string {
	end, _ := first(text)
	return text[:end]
}

// Whole is what a Read shows of a whole text, however long it is (H-TOOL-10).
func Whole(text string) string {
	if text == "" {
		return inject.EmptyFile
	}
	return number(text, 1)
}

// number writes lines as number, tab, text; the last one has no line feed.
func number(page string, first int) string {
	b := make([]byte, 0, len(page)+8*(strings.Count(page, "\n")+1))
	for n, rest := first, strings.TrimSuffix(page, "\n"); ; n++ {
		line, after, more := strings.Cut(rest, "\n")
		b = append(append(strconv.AppendInt(b, int64(n), 10), '\t'), line...)
		if !more {
			return string(b)
		}
		b, rest = append(b, '\n'), after
	}
}

// readStructured is the text form of H-TOOL-16. Content is the lines in the file's own bytes.
func (c *Call) readStructured(content string, lines, total int) []byte {
	b := append([]byte(`{"type":"text","file":{"filePath":`), sessionlog.Quote(c.Path)...)
	b = append(append(b, `,"content":`...), sessionlog.Quote(content)...)
	return fmt.Appendf(b, `,"numLines":%d,"startLine":%d,"totalLines":%d}}`, lines, c.From, total)
}

// Unchanged answers a Read whose earlier result still stands in the payload (H-TOOL-13). seeded: it is the memory
// file that does.
func (c *Call) Unchanged(seeded bool) Result {
	b := append([]byte(`{"type":"file_unchanged","file":{"filePath":`), sessionlog.Quote(c.Path)...)
	b = append(b, '}')
	if seeded {
		b = append(b, `,"source":"seeded"`...)
	}
	return Result{Text: inject.Unchanged, Structured: append(b, '}')}
}

// MediaType is the type of an image by its first bytes, "" for what is no image that the API takes (messages-api.md
// 2.6). Names do not count: a text file may be called logo.png.
func MediaType(data []byte) string {
	for _, m := range []struct{ media, magic string }{
		{"image/png", "\x89PNG\r\n\x1a\n"}, {"image/jpeg", "\xff\xd8\xff"}, {"image/gif", "GIF87a"}, {"image/gif", "GIF89a"},
	} {
		if bytes.HasPrefix(data, []byte(m.magic)) {
			return m.media
		}
	}
	if len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP" {
		return "image/webp"
	}
	return ""
}

// ImageFault says why an image cannot be shown, "" when it can. The limit of its sides is the one for requests of many
// images: an image that stands in the conversation stays there, however many follow (messages-api.md 2.6).
func ImageFault(name string, data []byte) string {
	encoded := []byte(base64.StdEncoding.EncodeToString(data))
	w, h, ok := tokens.ImageSize(encoded)
	switch {
	case !ok:
		return name + " begins like an image but cannot be read as one"
	case len(encoded) > model.MaxImageBytes:
		return fmt.Sprintf("%s is an image of %d bytes in base64; at most %d can be shown", name, len(encoded), model.MaxImageBytes)
	case max(w, h) > model.MaxImageSideMany:
		return fmt.Sprintf("%s is an image of %d x %d pixels; at most %d on each side can be shown: scale a copy down",
			name, w, h, model.MaxImageSideMany)
	}
	return ""
}

// Unreadable says why a file cannot be shown, "" when it can: PDF files, and what is no text, are left to commands.
func Unreadable(name string, data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("%PDF-")):
		return name + " is a PDF file, which Read does not show; get its text with a command such as pdftotext"
	case bytes.IndexByte(data, 0) >= 0:
		kind := strings.TrimPrefix(path.Ext(name), ".")
		if kind == "" {
			kind = "binary"
		}
		return name + " is no text (" + kind + "); look at it with a command such as file or xxd"
	}
	return ""
}

// imageResult shows an image as a block of its own (H-TOOL-16, H-TOOL-75).
func imageResult(raw Raw) Result {
	data := base64.StdEncoding.EncodeToString([]byte(raw.Output))
	content := append([]byte(`[{"type":"image","source":{"type":"base64","media_type":`), sessionlog.Quote(raw.Media)...)
	content = append(append(append(content, `,"data":"`...), data...), `"}}]`...)
	b := append([]byte(`{"type":"image","file":{"base64":"`), data...)
	b = append(append(b, `","type":`...), sessionlog.Quote(raw.Media)...)
	return Result{Content: content, Structured: fmt.Appendf(b, `,"originalSize":%d}}`, len(raw.Output))}
}
