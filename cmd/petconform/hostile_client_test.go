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
	long.Only(t, "petconform client with 10 hostile clients, in real time")
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
	v := victim{key: "pet-key-of-a-hostile-client-01", hold: func(conn net.Conn) {
		mu.Lock()
		defer mu.Unlock()
		t.Cleanup(func() { _ = conn.Close() }) // one that nothing refers to would be closed at any time
	}}
	r := measured(t, dir, []string{"PETCONFORM_KEY=" + v.key}, []string{"client", "--listen", "127.0.0.1:0", "--out", filepath.Join(dir, "out"), "--plain", "--verbose", "--clients", "1"},
		func(ctx context.Context, cmd *exec.Cmd, printed io.Reader) {
			v.address, _, _ = strings.Cut(strings.TrimPrefix(exported(t, printed), "http://"), "/")
			busy = max(usualStart, time.Since(begun))
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

// endless sends a beginning on 16 connections, and then the same again and again, until petconform ends.
func endless(first, again string) func(context.Context, victim) {
	return func(ctx context.Context, v victim) {
		var all sync.WaitGroup
		for range 16 {
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
	const none = "no client sent a request"
	return []hostileClient{
		{"3,000 connections that never send", half(3000, ""), verdict.NoVerdict, none},
		{"half a header, after a listing", once(1, listHead+"\r\n"+listHead), verdict.Conforms, "4 of 10 musts"},
		{"16 half bodies", half(16, createHead+chunked+"4\r\n{\"na\r\n"), verdict.NoVerdict, "no client sent a whole body with createPet"},
		{"16 connections of large headers", endless("", "GET /v1/pets HTTP/1.1\r\nHost: pets\r\nX-More: "+kilobytes(40)+"\r\n\r\n"), verdict.Deviates, "the largest recording, of 30,000 requests or 24 MiB, is full"},
		{"16 connections of chunks without end", endless(createHead+chunked, "10000\r\n"+kilobytes(64)+"\r\n"), verdict.NoVerdict, "the largest recording, of 30,000 requests or 24 MiB, is full"},
		{"16 connections of large NewPets", endless("", whole(newPet(200))), verdict.NoVerdict, "the largest recording, of 30,000 requests or 24 MiB, is full"},
		{"40,000 quick requests", flood, verdict.Deviates, "the largest recording, of 30,000 requests or 24 MiB, is full"},
		{"responses that are never read", neverReads, verdict.Deviates, "CLIENT-1"},
		{"bytes that are not HTTP", once(4, "\x00\x01\xff\xfe\x80 \r\n\r\n\x00"), verdict.NoVerdict, none},
		{"a header of 1 MB", once(1, listHead+"X-Long: "+kilobytes(1<<10)+"\r\n\r\n"), verdict.NoVerdict, none},
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

// flood sends 40,000 listings over eight connections, as fast as it can. A pause shows that it has the first 429s.
func flood(ctx context.Context, v victim) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 5000 {
				if i == 1000 {
					time.Sleep(3 * time.Second)
				}
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
