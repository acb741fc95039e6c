package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows a bar for work over two seconds, on a terminal only, on standard error.
type progress struct{ bar *progressbar.ProgressBar }

// quietFor is how long work may take before it is worth a bar.
const quietFor = 2 * time.Second

func newProgress(errs io.Writer, total int) *progress {
	f, ok := errs.(*os.File)
	if !ok || total < 2 || !isTerminal(f) {
		return &progress{}
	}
	return &progress{bar: progressbar.NewOptions(total,
		progressbar.OptionSetWriter(f), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(quietFor), progressbar.OptionSetWidth(30))}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// A bar that cannot be drawn is no reason to fail the work it shows.
func (p *progress) step(name string) {
	if p.bar != nil {
		p.bar.Describe(name)
		_ = p.bar.Add(1)
	}
}

func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
