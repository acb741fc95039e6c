package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"harnessbench/conformance/invariant"
	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
)

// serving are the flags of serve.
type serving struct {
	addr, speed, record     string
	seed                    uint64
	keys                    []string
	padding, threads, check bool
	refuseRetired           bool
	say                     speech
}

func serveCommand() *cobra.Command {
	var s serving
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "serve the fake Messages API over HTTP",
		Long: "Serves the fake Messages API until it is interrupted, and prints its address first. With --script it\n" +
			"answers as the model of a story, or by the rules of a script file; --autopilot answers whatever else\n" +
			"comes; without either, every valid request gets one fixed short text. --fault breaks answers on purpose.\n" +
			"The clock and a reset are under /_bench/. With --check the traffic is judged: findings are printed as they come, the\n" +
			"verdicts at the end, and the exit code is 1 when a check broke.",
		Example: "  bench serve --addr 127.0.0.1:8402 --script scenarios/rewind.yaml\n" +
			"  bench serve --autopilot 7 --fault overloaded,chance=0.1 --fault \"reset,at=event 5,call=2\"\n" +
			"  bench serve --speed 10x --record traffic.jsonl --check",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd) },
	}
	fl := cmd.Flags()
	fl.StringVar(&s.addr, "addr", "127.0.0.1:0", "`address` to listen on; port 0 takes a free one")
	s.say.flags(cmd)
	fl.Uint64Var(&s.seed, "seed", defaultSeed, "seed of ids and signatures")
	fl.StringSliceVar(&s.keys, "keys", nil, "API `keys` that are taken; without the flag every key is")
	fl.StringVar(&s.speed, "speed", "virtual", "`pace` of answers: virtual (at once), real, or a multiple of real such as 10x")
	fl.BoolVar(&s.padding, "padding", true, "pad event lines as the API does")
	fl.BoolVar(&s.threads, "threads", true, "keep message threads; =false refuses them as unsupported")
	fl.BoolVar(&s.refuseRetired, "refuse-retired", false, "answer retired models with 404 from their day on, as the API does")
	fl.StringVar(&s.record, "record", "", "write the traffic as a trace to this `file`, keys redacted")
	fl.BoolVar(&s.check, "check", false, "judge the traffic")
	return cmd
}

func (s *serving) run(cmd *cobra.Command) error {
	opt := fakeapi.Options{Seed: s.seed, Keys: s.keys, ThreadsUnsupported: !s.threads, RefuseRetired: s.refuseRetired}
	if err := s.say.into(&opt, cmd.Flags().Changed("autopilot")); errors.Is(err, errHelp) {
		_, err = fmt.Fprint(cmd.OutOrStdout(), faultHelp())
		return err
	} else if err != nil {
		return err
	}
	speed, err := speedOf(s.speed)
	if err != nil {
		return err
	}
	front := httpfront.Options{Seed: s.seed, Plain: !s.padding, Speed: speed}
	var w *watcher
	if s.record != "" || s.check {
		if w, err = s.watcher(cmd); err != nil {
			return err
		}
		front.Watcher = w
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err = serve(ctx, cmd, s.addr, httpfront.New(fakeapi.New(opt), front))
	if w == nil {
		return err
	}
	broken, lost := w.close(time.Now())
	switch {
	case err != nil:
		return err
	case lost != nil:
		return lost
	case broken:
		return exit(exitBroken)
	}
	return nil
}

func (s *serving) watcher(cmd *cobra.Command) (*watcher, error) {
	var file *traceFile
	var judge *invariant.Judge
	if s.record != "" {
		f, err := openTrace(s.record)
		if err != nil {
			return nil, err
		}
		file = f
	}
	if s.check {
		judge = invariant.New()
	}
	return newWatcher(time.Now(), s.seed, file, judge, cmd.OutOrStdout()), nil
}

// speedOf reads --speed: how many times faster than the machine's own times answers leave, 0 for at once.
func speedOf(text string) (float64, error) {
	switch text {
	case "virtual":
		return 0, nil
	case "real":
		return 1, nil
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(text, "x"), 64)
	if err != nil || !strings.HasSuffix(text, "x") || !(n > 0) || math.IsInf(n, 0) { // NaN is not greater
		return 0, fmt.Errorf("--speed: %q is no pace; it is virtual, real, or a multiple of real such as 10x", text)
	}
	return n, nil
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
