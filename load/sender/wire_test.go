package sender

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petconform/load/record"
	"petconform/spec/exchange"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func senderBy(f roundTrip) (*Sender, *record.Recording) {
	return senderOver("http://pets.test/v1", f, nil)
}

func answered(status int, body string) (*http.Response, error) {
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

func TestATimeOutIsToldAndTheNextRequestHasItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, rec := senderBy(func(r *http.Request) (*http.Response, error) {
			if n++; n == 2 { // an answer that never comes
				httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{})
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			time.Sleep(4 * time.Second)
			return answered(200, "[]")
		})
		send(t, s, Attack{Next: lists, Budget: 4, Workers: 1})
		for i, want := range []int{200, 0, 200, 200} {
			r := rec.Records[i]
			if r.Status != want {
				t.Errorf("request %d: want status %d; got %d: %+v", i+1, want, r.Status, r.Like.Failure)
			}
			if why := r.Like.Failure; want == 0 && (why == nil || why.Kind != exchange.Timeout || r.Done != 5*time.Second) {
				t.Errorf("want a time-out after 5 s; got %+v after %s", why, r.Done)
			}
		}
	})
}

// A response must not show what an earlier one left in a reused buffer.
func TestAnswersDoNotRunIntoEachOther(t *testing.T) {
	const firstPart = 64 << 10 // what a recording has of a body that is too large
	var packed bytes.Buffer
	zw := gzip.NewWriter(&packed)
	_, _ = io.WriteString(zw, "packed "+strings.Repeat("z", 3000))
	_ = zw.Close()
	bodies := []string{strings.Repeat("a", 5000), "b", "", packed.String(), "c", strings.Repeat("d", exchange.MaxBody+5), "e", "key " + key, "f"}
	want := []string{bodies[0], "b", "", "packed " + strings.Repeat("z", 3000), "c", strings.Repeat("d", firstPart), "e", "key [key]", "f"}
	at := 0
	s, rec := senderBy(func(*http.Request) (*http.Response, error) {
		resp, err := answered(200, bodies[at])
		if strings.HasPrefix(want[at], "packed") {
			resp.Header.Set("Content-Encoding", "gzip")
		}
		at++
		return resp, err
	})
	send(t, s, Attack{Next: lists, Budget: len(bodies), Workers: 1})
	for i, text := range want {
		answer := rec.Records[i].Like.Response
		if string(answer.Body) != text {
			t.Errorf("answer %d: want %.20q of %d bytes; got %.20q of %d", i, text, len(text), answer.Body, len(answer.Body))
		}
		if hit := text == "key [key]"; answer.Redacted != hit || answer.Truncated != (len(text) == firstPart) {
			t.Errorf("answer %d: redacted %t, truncated %t", i, answer.Redacted, answer.Truncated)
		}
	}
}

// net/http must not send a request again unseen. A GET on a kept connection that closed is sent once more, which is a record
// of its own; a POST is not, since each may create an animal.
func TestADeadConnection(t *testing.T) {
	for method, want := range map[string]int{"GET": 2, "POST": 1} {
		sent, body := 0, []byte(nil)
		if method == "POST" {
			body = []byte("{}")
		}
		s, _ := senderBy(func(r *http.Request) (*http.Response, error) {
			sent++
			if r.GetBody != nil || r.Body == nil || r.Body == http.NoBody {
				t.Errorf("%s: a body that net/http can send again: it would do so unseen", method)
			}
			httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{Reused: true, WasIdle: true, IdleTime: 2 * time.Second})
			return nil, io.EOF
		})
		next := func(int) Call { return Call{Method: method, Path: "/pets", Body: body} }
		records := send(t, s, Attack{Next: next, Budget: 1, Workers: 1})
		if len(records) != want || sent != want || !records[0].Reused {
			t.Errorf("%s: want %d requests, each with a record; got %d of %d: %+v", method, want, len(records), sent, records)
		}
	}
}

// TestWhatGoesOverTheWire: the key as a bearer token, and no header of our own or vegeta's. A GET without a body has neither
// Content-Length nor Transfer-Encoding, and a POST has its Content-Length. The key is not in the recording.
func TestWhatGoesOverTheWire(t *testing.T) {
	var seen []string
	s, rec := senderTo(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, fmt.Sprintf("%s %q %d %v %q", r.Method, body, r.ContentLength, r.TransferEncoding, r.Header.Get("Content-Type")))
		for name := range r.Header {
			if strings.HasPrefix(name, "X-") || r.Header.Get("Authorization") != "Bearer "+key {
				t.Errorf("%v was sent; want the key, and no %s", r.Header, name)
			}
		}
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, `["`+key+`"]`)
	})
	calls := []Call{{Method: "GET", Path: "/pets"}, {Method: "POST", Path: "/pets", Body: []byte("{}")}, {Method: "GET", Path: "/pets"}}
	send(t, s, Attack{Next: func(i int) Call { return calls[i] }, Budget: len(calls), Workers: 1})
	want := []string{`GET "" 0 [] ""`, `POST "{}" 2 [] "application/json"`, `GET "" 0 [] ""`}
	if got := strings.Join(seen, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("wanted %q\ngot    %q", want, seen)
	}
	var file bytes.Buffer
	if err := record.Write(&file, rec); err != nil || strings.Contains(file.String(), key) {
		t.Errorf("the key stands in the recording (%v): %s", err, &file)
	}
}

func TestAnAddressThatCannotBeReadEndsTheAttack(t *testing.T) {
	s, rec := senderBy(func(*http.Request) (*http.Response, error) { return answered(200, "[]") })
	err := s.Run(t.Context(), Attack{Next: func(int) Call { return Call{Method: "GET", Path: "/%zz"} }, Budget: 3, Workers: 1})
	if err == nil || len(rec.Records) != 0 {
		t.Errorf("want an error and no record; got %v and %d", err, len(rec.Records))
	}
}
