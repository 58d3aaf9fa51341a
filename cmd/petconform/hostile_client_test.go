package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"petconform/reports"
	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/verdict"
)

// mostEnd is how long petconform client may take from the interrupt to its end, on a machine on which it takes usualStart at most
// until it serves. On an idle one it takes a second to end, three after 30,000 requests, and 0.3 s to serve.
const mostEnd, usualStart = 30 * time.Second, time.Second

// hostileClient is a client that does something other than to use the service.
type hostileClient struct {
	name string
	// attack returns when it is done, or when petconform has ended and ctx is done. Its connections stay open.
	attack func(ctx context.Context, v victim)
	want   verdict.Run
	// says is a part of what is printed or stands in results.json.
	says string
}

// TestHostileClients: whatever clients send, petconform client ends soon after it was told to, in bounded memory and disk, and writes its
// report. go test -v prints what each run took.
func TestHostileClients(t *testing.T) {
	long.Only(t, "petconform client with 24 hostile clients, in real time")
	for _, h := range hostileClients() {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			h.run(t)
		})
	}
}

// run runs petconform client in a process of its own, lets the client at it, and interrupts it.
func (h hostileClient) run(t *testing.T) {
	t.Helper()
	dir, begun, most := t.TempDir(), time.Now(), mostEnd
	var mu sync.Mutex
	v := victim{hold: func(conn net.Conn) {
		mu.Lock()
		defer mu.Unlock()
		t.Cleanup(func() { _ = conn.Close() }) // one that nothing refers to would be closed at any time
	}}
	r := measured(t, dir, nil, []string{"client", "--listen", "127.0.0.1:0", "--out", filepath.Join(dir, "out"), "--plain", "--verbose", "--clients", "1"},
		func(ctx context.Context, cmd *exec.Cmd, printed io.Reader) {
			var target string
			target, v.key = exported(t, printed)
			most = mostEnd / usualStart * max(usualStart, time.Since(begun))
			v.address, _, _ = strings.Cut(strings.TrimPrefix(target, "http://"), "/")
			h.attack(ctx, v)
			_ = cmd.Process.Signal(syscall.SIGINT) // it may have ended, at a bound
		})
	if r.took > most || r.memory > mostMemory || r.disk > mostDisk {
		t.Errorf("%s; at most %s, %d MiB and %d MiB are wanted", r, most, mostMemory>>20, mostDisk>>20)
	}
	results, _ := os.ReadFile(filepath.Join(dir, "out", "results.json"))
	text := strings.Join(strings.Fields(r.said), " ") + string(results)
	if r.code != exitCodes[h.want] || !strings.Contains(text, h.says) || strings.Contains(text, "fault of its own") {
		t.Errorf("exit code %d; %d and %q were wanted, in:\n%.4000s", r.code, exitCodes[h.want], h.says, r.said)
	}
	if in, err := (reports.Opening{}).Open(filepath.Join(dir, "out")); err != nil || in.Recording == nil || in.Recording.End == nil {
		t.Errorf("the report: %v", err)
	}
	eachFile(t, dir, func(name string, data []byte) {
		if bytes.Contains(data, []byte(v.key)) {
			t.Errorf("the key stands in %s", name)
		}
	})
}

// victim is a service that a hostile client attacks. It holds connections open until the service has ended.
type victim struct {
	address, key string
	hold         func(net.Conn)
}

// open opens connections and sends the same on each; nothing more comes on them. It closes none.
func (v victim) open(ctx context.Context, n int, text string) []net.Conn {
	var all []net.Conn
	for range n {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", v.address)
		if err != nil {
			continue
		}
		_ = conn.SetDeadline(time.Now().Add(hangs))
		_, _ = io.WriteString(conn, strings.ReplaceAll(text, "KEY", v.key))
		v.hold(conn)
		all = append(all, conn)
	}
	return all
}

// endless sends a beginning on some connections, and then the same again and again, for a time or, if that is 0, until petconform ends.
func endless(n int, most time.Duration, first, again string) func(context.Context, victim) {
	return func(ctx context.Context, v victim) {
		if most > 0 {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeout(ctx, most)
			defer stop()
		}
		var all sync.WaitGroup
		for range n {
			all.Go(func() {
				for spec.Sleep(ctx, time.Millisecond) == nil {
					for _, conn := range v.open(ctx, 1, first) {
						go func() { _, _ = io.Copy(io.Discard, conn) }()
						text := strings.ReplaceAll(again, "KEY", v.key)
						for err := error(nil); err == nil && ctx.Err() == nil; {
							_, err = io.WriteString(conn, text)
						}
					}
				}
			})
		}
		all.Wait()
	}
}

// once sends a text on some connections, waits until something comes back on each, and leaves them open.
func once(n int, text string) func(context.Context, victim) {
	return func(ctx context.Context, v victim) {
		for _, conn := range v.open(ctx, n, text) {
			_, _ = conn.Read(make([]byte, 1))
		}
		time.Sleep(moment) // so that the response is complete
	}
}

// moment is how long a client that gets no response waits, so that petconform has read what was sent.
const moment = 300 * time.Millisecond

// half sends a text on some connections, and nothing more.
func half(n int, text string) func(context.Context, victim) {
	return func(ctx context.Context, v victim) {
		v.open(ctx, n, text)
		time.Sleep(moment)
	}
}
