package world

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// PanicText writes a recovered panic with the stack it came from, one function a line, innermost
// first. It must be called from the deferred function that recovered. Addresses, goroutine numbers
// and directories are left out, so the text is the same in every run and every checkout (law 5).
func PanicText(v any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v", v)
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	// What stands above the runtime's panic entry is the recovering code, not the fault.
	var lines []string
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasPrefix(frame.Function, "runtime."):
			if strings.Contains(frame.Function, "panic") {
				lines = lines[:0]
			}
		case frame.Function != "":
			lines = append(lines, fmt.Sprintf("\n\t%s %s:%d", frame.Function, path.Base(frame.File), frame.Line))
		}
		if !more {
			break
		}
	}
	for _, line := range lines {
		b.WriteString(line)
	}
	return b.String()
}
