package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"harnessbench/conformance/run"
	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
)

func serveCommand() *cobra.Command {
	var addr, script string
	var seed uint64
	var keys []string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "serve the fake Messages API over HTTP",
		Long: "Serves the fake Messages API until it is interrupted, and prints its address first. With --script it\n" +
			"answers as the model of a story; without, every valid request gets one fixed short text. The clock and\n" +
			"a reset are under /_bench/.",
		Example: "  bench serve --addr 127.0.0.1:8402 --script scenarios/rewind.yaml",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt := fakeapi.Options{Seed: seed, Keys: keys}
			if script != "" {
				stories, err := loadStories([]string{script})
				if err != nil {
					return err
				}
				if len(stories) != 1 {
					return fmt.Errorf("--script: %s holds %d stories; a server plays one", script, len(stories))
				}
				opt.Script = run.Script(stories[0])
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return serve(ctx, cmd, addr, httpfront.New(fakeapi.New(opt), httpfront.Options{Seed: seed}))
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&addr, "addr", "127.0.0.1:0", "`address` to listen on; port 0 takes a free one")
	fl.StringVar(&script, "script", "", "answer as the model of this story `file`")
	fl.Uint64Var(&seed, "seed", defaultSeed, "seed of ids and signatures")
	fl.StringSliceVar(&keys, "keys", nil, "API `keys` that are taken; without the flag every key is")
	return cmd
}

// serve listens until ctx ends.
func serve(ctx context.Context, cmd *cobra.Command, addr string, handler http.Handler) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || host == "" {
		return fmt.Errorf("--addr: %q names no host; 127.0.0.1:0 listens on this machine alone, 0.0.0.0:0 on every interface", addr)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "http://%s\n", listener.Addr()); err != nil {
		return errors.Join(fmt.Errorf("the address could not be written: %w", err), listener.Close())
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return err
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
