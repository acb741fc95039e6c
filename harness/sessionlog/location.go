package sessionlog

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// maxSlug is the length of a slug beyond which it is cut and hashed (H-LOG-3).
const maxSlug = 200

// Slug names a project directory (H-LOG-2, H-LOG-3). cwd must be canonical: symlinks resolved, NFC.
func Slug(cwd string) string {
	var b strings.Builder
	for _, r := range cwd {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			b.WriteRune(r)
		} else {
			b.WriteByte('-')
		}
	}
	slug := b.String()
	if len(slug) <= maxSlug {
		return slug
	}
	return slug[:maxSlug] + "-" + pathHash(cwd)
}

// pathHash is the 32-bit hash of H-LOG-3 over UTF-16 code units, in base 36.
func pathHash(s string) string {
	var h int32
	for _, u := range utf16.Encode([]rune(s)) {
		h = h*31 + int32(u)
	}
	n := int64(h)
	if n < 0 {
		n = -n
	}
	return strconv.FormatInt(n, 36)
}

// Dir is the directory of a project's sessions (H-LOG-1).
func Dir(config, cwd string) string { return config + "/projects/" + Slug(cwd) }

// File is the log of a session (H-LOG-1).
func File(dir, session string) string { return dir + "/" + session + ".jsonl" }

// FrozenFile holds what a bound model's session must send again unchanged (H-LOG-6, H-REB-46).
func FrozenFile(dir, session string) string { return dir + "/" + session + "/frozen.json" }

// SessionOf gives the session id of a file name, ok false for a name that is no session log (H-LOG-5).
func SessionOf(name string) (id string, ok bool) {
	id, ok = strings.CutSuffix(name, ".jsonl")
	if !ok || !isUUID(id) {
		return "", false
	}
	return id, true
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return true
}
