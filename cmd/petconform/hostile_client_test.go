package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"petconform/conformance/clients"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/verdict"
)

// mostEnd is how long petconform client may take from the interrupt to its end, and mostEach what each request that it judges may
// add, on a machine on which it takes usualStart at most until it serves. On an idle one it takes a second to end, 0.1 ms more for
// each request, and 0.3 s to serve.
const mostEnd, mostEach, usualStart = 30 * time.Second, 2 * time.Millisecond, time.Second

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
	dir, begun, busy := t.TempDir(), time.Now(), usualStart
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
			busy = max(usualStart, time.Since(begun))
			v.address, _, _ = strings.Cut(strings.TrimPrefix(target, "http://"), "/")
			h.attack(ctx, v)
			_ = cmd.Process.Signal(syscall.SIGINT) // it may have ended, at a bound
		})
	in, err := (reports.Opening{}).Open(filepath.Join(dir, "out"))
	if err != nil || in.Recording == nil || in.Recording.End == nil || len(in.Recording.Exchanges) > clients.MaxExchanges {
		t.Fatalf("the report: %v", err)
	}
	most := (mostEnd + mostEach*time.Duration(len(in.Recording.Exchanges))) / usualStart * busy
	if r.took > most || r.memory > mostMemory || r.disk > mostDisk {
		t.Errorf("%s; at most %s, %d MiB and %d MiB are wanted", r, most, mostMemory>>20, mostDisk>>20)
	}
	results, _ := os.ReadFile(filepath.Join(dir, "out", "results.json"))
	text := strings.Join(strings.Fields(r.said), " ") + string(results)
	if r.code != exitCodes[h.want] || !strings.Contains(text, h.says) || strings.Contains(text, "fault of its own") {
		t.Errorf("exit code %d; %d and %q were wanted, in:\n%.4000s", r.code, exitCodes[h.want], h.says, r.said)
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

// The heads of requests. KEY stands for the key.
const (
	listHead   = "GET /v1/pets?limit=1 HTTP/1.1\r\nHost: pets\r\nAuthorization: Bearer KEY\r\n"
	createHead = "POST /v1/pets HTTP/1.1\r\nHost: pets\r\nAuthorization: Bearer KEY\r\nContent-Type: application/json\r\n"
	chunked    = "Transfer-Encoding: chunked\r\n\r\n"
)

// kilobytes is a text of so many KiB.
func kilobytes(n int) string { return strings.Repeat("x", n<<10) }

// hostileClients are clients that hold a connection, send without end, or send what is not HTTP.
func hostileClients() []hostileClient {
	newPet := func(kb int) string { return fmt.Sprintf(`{"name":"%s","categoryId":1}`, kilobytes(kb)) }
	whole := func(body string) string {
		return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", createHead, len(body), body)
	}
	none, odd := "no client sent a request", "sent something that was not a whole HTTP request"
	return []hostileClient{
		{"a connection that never sends", half(1, ""), verdict.NoVerdict, none},
		{"3,000 connections that never send", half(3000, ""), verdict.NoVerdict, none},
		{"half a header", half(1, listHead), verdict.NoVerdict, odd},
		{"half a header, after a listing", once(1, listHead+"\r\n"+listHead), verdict.Conforms, "4 of 10 musts"},
		{"half a body", half(1, createHead+"Content-Length: 1000\r\n\r\n{\"name\":"), verdict.NoVerdict, "the run ended before the client had sent the body"},
		{"16 half bodies", half(16, createHead+chunked+"4\r\n{\"na\r\n"), verdict.NoVerdict, "16 requests not judged: the run ended"},
		{"a body that is not sent after Expect", once(1, createHead+"Expect: 100-continue\r\nContent-Length: 40\r\n\r\n"), verdict.NoVerdict, "the run ended before the client had sent the body"},
		{"a lawful NewPet of 2 MB", once(1, whole(newPet(2<<10))), verdict.NoVerdict, "1 request not judged: the body is too large"},
		{"16 connections of headers without end", endless(16, 4*time.Second, listHead, "X-More: "+kilobytes(4)+"\r\n"), verdict.NoVerdict, odd},
		{"16 connections of large headers", endless(16, 0, "", "GET /v1/pets HTTP/1.1\r\nHost: pets\r\nX-More: "+kilobytes(40)+"\r\n\r\n"), verdict.Deviates, "the largest number of bytes, 24 MiB, was reached"},
		{"16 connections of chunks without end", endless(16, 0, createHead+chunked, "10000\r\n"+kilobytes(64)+"\r\n"), verdict.NoVerdict, "the largest number of bytes, 24 MiB, was reached"},
		{"16 connections of large NewPets", endless(16, 0, "", whole(newPet(200))), verdict.NoVerdict, "the largest number of bytes, 24 MiB, was reached"},
		{"requests without a wait for responses", pipelined, verdict.Deviates, "CLIENT-4"},
		{"26,000 quick requests", flood(26_000), verdict.Deviates, "CLIENT-4"},
		{"40,000 quick requests", flood(40_000), verdict.Deviates, "the largest number of requests, 30,000, was reached"},
		{"responses that are never read", neverReads, verdict.Deviates, "CLIENT-1"},
		{"bytes that are not HTTP", once(4, "\x00\x01\xff\xfe\x80 \r\n\r\n\x00"), verdict.NoVerdict, odd},
		{"the hello of TLS", once(1, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"+kilobytes(1)), verdict.NoVerdict, odd},
		{"the preface of HTTP/2", once(1, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"), verdict.NoVerdict, ""},
		{"a header of 1 MB", once(1, listHead+"X-Long: "+kilobytes(1<<10)+"\r\n\r\n"), verdict.NoVerdict, odd},
		{"a method of 10,000 letters", once(1, strings.Repeat("M", 10_000)+" /v1/pets HTTP/1.1\r\nHost: pets\r\n\r\n"), verdict.NoVerdict, "no client called an operation"},
		{"absolute addresses", once(1, "GET http://pets/v1/pets?limit=5 HTTP/1.1\r\nHost: pets\r\nAuthorization: Bearer KEY\r\n\r\n"), verdict.Conforms, "4 of 10 musts"},
		{"an upgrade", once(1, listHead+"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"), verdict.Conforms, "4 of 10 musts"},
		{"CONNECT", once(1, "CONNECT pets:443 HTTP/1.1\r\nHost: pets:443\r\n\r\n"+kilobytes(1)), verdict.NoVerdict, "no client called an operation"},
	}
}

// pipelined sends listings before it has read the responses to others, and goes on when it must have read the first 429.
func pipelined(ctx context.Context, v victim) {
	for _, conn := range v.open(ctx, 1, strings.Repeat(listHead+"\r\n", 2000)) {
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		time.Sleep(4 * time.Second)
		_, _ = io.WriteString(conn, strings.ReplaceAll(strings.Repeat(listHead+"\r\n", 100), "KEY", v.key))
		time.Sleep(moment)
	}
}

// neverReads sends requests until nothing more is taken, and reads none of the responses.
func neverReads(ctx context.Context, v victim) {
	for _, conn := range v.open(ctx, 1, "") {
		_ = conn.SetWriteDeadline(time.Now().Add(3 * time.Second))
		text := strings.Repeat("GET /v1/pets?limit=100 HTTP/1.1\r\nHost: pets\r\n\r\n", 100)
		for err := error(nil); err == nil; {
			_, err = io.WriteString(conn, text)
		}
	}
}

// flood sends listings over eight connections, as fast as it can.
func flood(n int) func(context.Context, victim) {
	return func(ctx context.Context, v victim) {
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range n / 8 {
					r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+v.address+"/v1/pets?limit=20", nil)
					if err != nil {
						return
					}
					r.Header.Set("Authorization", "Bearer "+v.key)
					resp, err := client.Do(r)
					if err != nil {
						return // it ended at a bound
					}
					_, _ = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
			})
		}
		all.Wait()
	}
}
