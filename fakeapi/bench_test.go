package fakeapi_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"harnessbench/fakeapi"
)

// tall is a conversation of n messages, marked at its end as a client marks it.
func tall(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"model":"claude-sonnet-4-6","max_tokens":100,"system":[{"type":"text","text":"` + strings.Repeat("careful ", 1000) + `","cache_control":{"type":"ephemeral"}}],"messages":[`)
	for i := range n {
		mark := ""
		if i > 0 {
			b.WriteByte(',')
		}
		if i == n-1 {
			mark = `,"cache_control":{"type":"ephemeral"}`
		}
		fmt.Fprintf(&b, `{"role":%q,"content":[{"type":"text","text":"%d %s"%s}]}`, [2]string{"user", "assistant"}[i%2], i, strings.Repeat("understanding documentation. ", 10), mark)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// BenchmarkOneMoreTurn is a turn behind a history that the server has seen, against comparing its bytes with those
// of the turn before, which no server gets around.
func BenchmarkOneMoreTurn(b *testing.B) {
	for _, n := range []int{101, 10_001} {
		b.Run(fmt.Sprint(n, " messages"), func(b *testing.B) {
			s := fakeapi.New(fakeapi.Options{})
			var bodies [][]byte
			for i := range 12 {
				bodies = append(bodies, tall(n+2*i))
			}
			send := func(i int) {
				s.Handle(begin.Add(time.Duration(i)*time.Second), fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: usual, Body: bodies[i%len(bodies)]})
			}
			var own, compare time.Duration
			i := 0
			for ; i < 2*len(bodies); i++ {
				send(i)
			}
			for b.Loop() {
				start := time.Now()
				send(i)
				mid := time.Now()
				bytes.HasPrefix(bodies[(i+1)%len(bodies)], bodies[i%len(bodies)][:len(bodies[i%len(bodies)])-100])
				if i%len(bodies) > 0 { // the first is a rewind
					own, compare = own+mid.Sub(start), compare+time.Since(mid)
				}
				i++
			}
			b.ReportMetric(float64(own.Microseconds())/float64(b.N), "own-µs")
			b.ReportMetric(float64(compare.Microseconds())/float64(b.N), "compare-µs")
		})
	}
}
