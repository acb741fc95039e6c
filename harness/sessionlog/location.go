package sessionlog

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"
)

// maxSlug is the length of a slug beyond which it is cut and hashed (H-LOG-3).
const maxSlug = 200

// maxDirName is the longest name CheckDirName takes (H-LOG-4).
const maxDirName = 64

// Slug names a project directory (H-LOG-2): the working directory in Unicode form NFC, every character that is no
// ASCII letter or digit replaced. Symlinks in cwd must be resolved already. Beyond 200 characters it is cut and told
// apart by a hash (H-LOG-3).
func Slug(cwd string) string {
	cwd = norm.NFC.String(cwd)
	slug := plain(cwd)
	if len(slug) <= maxSlug {
		return slug
	}
	return slug[:maxSlug] + "-" + pathHash(cwd)
}

func plain(s string) string {
	var b strings.Builder
	for _, r := range s {
		if alphanumeric(r) {
			b.WriteRune(r)
		} else {
			b.WriteByte('-')
		}
	}
	return b.String()
}

func alphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// LongSlugPrefix is what the name of a directory must begin with to be taken for the one of a slug that was cut, since
// other runtimes hash differently (H-LOG-3). ok is false for a slug that was not cut.
func LongSlugPrefix(slug string) (prefix string, ok bool) {
	if len(slug) <= maxSlug {
		return "", false
	}
	return slug[:maxSlug] + "-", true
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

// CheckDirName refuses a name that may not replace a slug (H-LOG-4): 1 to 64 of [A-Za-z0-9_-]. "" stands for no
// replacement.
func CheckDirName(name string) error {
	for _, r := range name {
		if !alphanumeric(r) && r != '_' && r != '-' {
			return fmt.Errorf("%q holds %q; want letters, digits, _ and -", name, r)
		}
	}
	if len(name) > maxDirName {
		return fmt.Errorf("%q has %d characters, at most %d are taken", name, len(name), maxDirName)
	}
	return nil
}

// ConfigVariable is the environment variable that names the configuration directory (H-LOG-1).
const ConfigVariable = "CLAUDE_CONFIG_DIR"

// Locate reads from the environment where sessions are kept (H-LOG-1, H-LOG-4): the configuration directory, and a
// name in place of the slug, which only a configuration directory set on purpose can have.
func Locate(env func(name string) string, home string) (config, dirName string) {
	if config = env(ConfigVariable); config == "" {
		return home + "/.claude", ""
	}
	return config, env("CLAUDE_CODE_PROJECT_DIR_NAME")
}

// Projects is the directory of all projects (H-LOG-1).
func Projects(config string) string { return config + "/projects" }

// Dir is the directory of a project's sessions (H-LOG-1). dirName replaces the slug unless it is empty (H-LOG-4).
func Dir(config, cwd, dirName string) string {
	if dirName == "" {
		dirName = Slug(cwd)
	}
	return Projects(config) + "/" + dirName
}

// File is the log of a session (H-LOG-1).
func File(dir, session string) string { return dir + "/" + session + ".jsonl" }

// Beside is the directory of what a session keeps beside its log (H-LOG-6).
func Beside(dir, session string) string { return dir + "/" + session }

// FrozenFile holds what a bound model's session must send again unchanged (H-LOG-6, H-REB-46).
func FrozenFile(dir, session string) string { return Beside(dir, session) + "/frozen.json" }

// SessionMemory is the file that is kept up as a session goes on, and that may be its summary (H-CMP-80).
func SessionMemory(dir, session string) string {
	return Beside(dir, session) + "/session-memory/summary.md"
}

// ToolResults is the directory of a session's spilled outputs (H-LOG-6).
func ToolResults(dir, session string) string { return Beside(dir, session) + "/tool-results" }

// HistoryDir holds a session's backups of files (H-LOG-6, H-LOG-62).
func HistoryDir(config, session string) string { return config + "/file-history/" + session }

// AgentFile is the log of a subagent; agents of agents lie in the same directory (H-LOG-6, H-LOG-36).
func AgentFile(dir, session, agent string) string {
	return Beside(dir, session) + "/subagents/agent-" + agent + ".jsonl"
}

// AgentMeta tells which agent a subagent's log is of (H-LOG-6, H-LOG-36).
func AgentMeta(dir, session, agent string) string {
	return Beside(dir, session) + "/subagents/agent-" + agent + ".meta.json"
}

// Memory is the directory of a project's auto memory, which retention spares (H-LOG-6, H-LOG-7).
func Memory(dir string) string { return dir + "/memory" }

// FileHistory is the directory of a session's checkpoints (H-LOG-6, H-LOG-62).
func FileHistory(config, session string) string { return config + "/file-history/" + session }

// Plans is the directory of plan files (H-LOG-6).
func Plans(config string) string { return config + "/plans" }

// SessionOf gives the session id of a file name, ok false for a name that is no session log (H-LOG-5).
func SessionOf(name string) (id string, ok bool) {
	id, ok = strings.CutSuffix(name, ".jsonl")
	if !ok || !IsUUID(id) {
		return "", false
	}
	return id, true
}

// IsUUID tells the textual form of a UUID.
func IsUUID(s string) bool {
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
