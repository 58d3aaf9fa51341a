package clients

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// TestPipelined: requests that a client had sent before it could read the 429 are not early, on the same connection either. One that
// it sends afterwards is.
func TestPipelined(t *testing.T) {
	for name, c := range map[string]struct {
		after bool
		want  verdict.Verdict
	}{"in flight at the 429": {false, verdict.Passed}, "one more after the 429": {true, verdict.Failed}} {
		t.Run(name, func(t *testing.T) {
			target, judged := judgedOverTCP(t)
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", target)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			const n = 7
			one := "GET /v1/pets?limit=1 HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer " + deskKey + "\r\n\r\n"
			in := bufio.NewReader(conn)
			send := func(n int) (last int) {
				if _, err := io.WriteString(conn, strings.Repeat(one, n)); err != nil {
					t.Fatal(err)
				}
				for range n {
					resp, err := http.ReadResponse(in, nil)
					if err != nil {
						t.Fatal(err)
					}
					_, _ = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
					last = resp.StatusCode
				}
				return last
			}
			last := send(n)
			if c.after {
				time.Sleep(2 * inFlight)
				last = send(1)
			}
			if last != http.StatusTooManyRequests {
				t.Fatalf("the last request was answered %d; a 429 is wanted", last)
			}
			r := judged()
			i := slices.IndexFunc(r.Requirements, func(q verdict.Requirement) bool { return q.ID == "CLIENT-4" })
			if r.Requirements[i].Verdict != c.want {
				t.Errorf("CLIENT-4 is %s; %s is wanted\n%s", r.Requirements[i].Verdict, c.want, told(r))
			}
		})
	}
}

// judgedOverTCP serves a plan of 5 requests an hour. judged ends the service and judges its clients.
func judgedOverTCP(t *testing.T) (target string, judged func() verdict.Results) {
	t.Helper()
	key := exchange.NewSecret(deskKey)
	service, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "key", Secret: key, Plan: spec.Plan{Name: "few", PerMinute: 5, PerDay: 1000}}}, Minute: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	rec := &exchange.Recording{Meta: exchange.Meta{Kind: Kind, Target: "http://desk/v1", Started: time.Now(), AsOf: time.Now()}}
	w := &Watcher{Service: service, BasePath: "/v1", Keys: map[string]exchange.Secret{"key": key}, Record: func(x exchange.Exchange) error {
		rec.Exchanges = append(rec.Exchanges, x)
		return nil
	}}
	ctx, end := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- service.ServeBehind(ctx, Listen(l), reference.Front{Handler: w, Connected: w.Connected, Grace: time.Second})
	}()
	return l.Addr().String(), func() verdict.Results {
		end()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		last := w.End()
		rec.End = &last
		r, err := Judge(rec)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}
