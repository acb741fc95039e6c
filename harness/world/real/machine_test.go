package real_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
	"harnessbench/harness/world/real"
)

func config(t *testing.T) real.Config {
	return real.Config{Root: t.TempDir(), BaseURL: "http://127.0.0.1:1", IDs: rand.NewPCG(1, 2)}
}

func machine(t *testing.T, change func(*real.Config)) *real.Machine {
	cfg := config(t)
	change(&cfg)
	m, err := real.New(cfg)
	require.NoError(t, err)
	return m
}

func TestConfigErrorsSayWhatWouldBeRight(t *testing.T) {
	for want, change := range map[string]func(*real.Config){
		"Config.Root is empty":                    func(c *real.Config) { c.Root = "" },
		"Config.IDs is nil":                       func(c *real.Config) { c.IDs = nil },
		`Config.BaseURL "": want http://host`:     func(c *real.Config) { c.BaseURL = "" },
		`BaseURL "ftp://x": want http://host`:     func(c *real.Config) { c.BaseURL = "ftp://x" },
		"Config.BaseURL: parse":                   func(c *real.Config) { c.BaseURL = "http://[::1" },
		`"localhost:8080": want http://host or h`: func(c *real.Config) { c.BaseURL = "localhost:8080" },
	} {
		cfg := config(t)
		change(&cfg)
		_, err := real.New(cfg)
		require.ErrorContains(t, err, want)
	}
}

// ours are the goroutines that stand in this room's code, from a profile of all.
func ours(t *testing.T) (dump string, n int) {
	var b bytes.Buffer
	require.NoError(t, pprof.Lookup("goroutine").WriteTo(&b, 2))
	for _, stack := range bytes.Split(b.Bytes(), []byte("\n\n")) {
		if bytes.Contains(stack, []byte("harness/world/real.")) {
			n++
		}
	}
	return b.String(), n
}

func TestNoGoroutineIsLeftOverLoopback(t *testing.T) {
	release := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		_, _ = io.Copy(io.Discard, in.Body)
		_, _ = io.WriteString(out, "first")
		_ = http.NewResponseController(out).Flush()
		select {
		case <-in.Context().Done():
		case <-release:
		}
	}))
	defer srv.Close()
	defer close(release)
	m := machine(t, func(c *real.Config) { c.BaseURL, c.Tools = srv.URL, stubborn{} })
	for range 20 {
		out := m.Run(func(w world.World) {
			for i := range 5 {
				w.Go(fmt.Sprint("reader", i), func(w world.World) {
					resp, err := w.Call(world.Request{Method: "POST", Path: "/v1/messages", Body: []byte("{}")})
					if err != nil {
						panic(err)
					}
					for {
						if _, err := resp.Body.Next(w); err != nil {
							panic(err)
						}
						_ = w.Append("/got", []byte("x"))
					}
				})
				w.Go(fmt.Sprint("tool", i), func(w world.World) { _, _ = w.RunTool(world.ToolCall{}) })
			}
			for {
				if got, _ := w.ReadFile("/got"); len(got)%5 == 0 && len(got) > 0 {
					break
				}
			}
			m.Kill()
			_ = w.Append("/got", []byte("not written"))
		})
		require.Equal(t, world.Outcome{Killed: true}, out)
	}
	// A goroutine that has said it is done may still be on its way out.
	for range 10_000 {
		if _, n := ours(t); n == 0 {
			return
		}
		runtime.Gosched()
	}
	dump, n := ours(t)
	t.Fatalf("%d goroutines are left:\n%s", n, dump)
}

// stubborn tools run until they are stopped.
type stubborn struct{}

func (stubborn) Run(ctx context.Context, _ world.ToolCall) (world.ToolResult, error) {
	<-ctx.Done()
	return world.ToolResult{}, ctx.Err()
}

func TestKillAndInterruptFromOutsideTheProcess(t *testing.T) {
	m := machine(t, func(c *real.Config) { c.Tools = stubborn{} })
	tasks := make(chan world.Task, 1)
	parked := make(chan struct{})
	go func() {
		(<-tasks).Interrupt()
		<-parked
		m.Kill()
	}()
	out := m.Run(func(w world.World) {
		task := w.Go("task", func(w world.World) {
			if _, err := w.RunTool(world.ToolCall{}); err != world.ErrInterrupted {
				panic(err)
			}
			close(parked)
			_, _ = w.RunTool(world.ToolCall{})
			panic("came back from the kill")
		})
		tasks <- task
		_ = w.Wait(task)
	})
	require.Equal(t, world.Outcome{Killed: true}, out)
}

func TestClockAndSleepMayBeReplaced(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	m := machine(t, func(c *real.Config) {
		c.Now = func() time.Time { return now }
		c.Sleep = func(_ context.Context, d time.Duration) { now = now.Add(d) }
	})
	require.Equal(t, world.Outcome{}, m.Run(func(w world.World) {
		begin := w.Now()
		require.NoError(t, w.Sleep(24*time.Hour))
		require.Equal(t, 24*time.Hour, w.Now().Sub(begin))
	}))
}

func TestFilesStandUnderTheRootForTheOwnerOnly(t *testing.T) {
	root := t.TempDir()
	m := machine(t, func(c *real.Config) { c.Root = root })
	require.NoError(t, os.WriteFile(filepath.Join(root, "left"+".replacing"), []byte("half"), 0o600))
	require.Equal(t, world.Outcome{}, m.Run(func(w world.World) {
		require.NoError(t, w.Append("/p/log", []byte("x")))
		require.NoError(t, w.Replace("/p/state", []byte("x")))
		require.NoError(t, w.Replace("/left", []byte("whole")))
		names, err := w.ReadDir("/")
		require.NoError(t, err)
		require.Equal(t, []string{"left", "p"}, names)
	}))
	for _, name := range []string{"p/log", "p/state", "left"} {
		info, err := os.Stat(filepath.Join(root, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
	data, err := os.ReadFile(filepath.Join(root, "left"))
	require.NoError(t, err)
	require.Equal(t, "whole", string(data))
}

func TestAHalfWrittenReplacementIsNotListed(t *testing.T) {
	root := t.TempDir()
	m := machine(t, func(c *real.Config) { c.Root = root })
	require.NoError(t, os.WriteFile(filepath.Join(root, "state.replacing"), []byte("half"), 0o600))
	require.Equal(t, world.Outcome{}, m.Run(func(w world.World) {
		names, err := w.ReadDir("/")
		require.NoError(t, err)
		require.Empty(t, names)
	}))
}

func TestCompressedBytesStayAsTheyCame(t *testing.T) {
	var asked string
	srv := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		asked = in.Header.Get("Accept-Encoding")
		out.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(out, "not really gzip")
	}))
	defer srv.Close()
	m := machine(t, func(c *real.Config) { c.BaseURL = srv.URL + "/" })
	for _, accept := range []string{"", "gzip"} {
		req := world.Request{Method: "POST", Path: "/v1/messages"}
		if accept != "" {
			req.Header = []world.Field{{Name: "accept-encoding", Value: accept}}
		}
		require.Equal(t, world.Outcome{}, m.Run(func(w world.World) {
			resp, err := w.Call(req)
			require.NoError(t, err)
			chunk, err := resp.Body.Next(w)
			require.NoError(t, err)
			require.Equal(t, "not really gzip", string(chunk))
			require.Contains(t, resp.Header, world.Field{Name: "content-encoding", Value: "gzip"})
		}))
		want := accept
		if want == "" {
			want = "identity"
		}
		require.Equal(t, want, asked)
	}
}

func TestOneProcessAtATime(t *testing.T) {
	m := machine(t, func(*real.Config) {})
	out := m.Run(func(world.World) { m.Run(func(world.World) {}) })
	require.Contains(t, out.Panic, "processes run one after the other")
}
