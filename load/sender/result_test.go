package sender

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
	"petconform/spec/exchange"
)

// TestVegetaReadsItsResults decodes the file of Results with vegeta's own decoder, as vegeta report and vegeta plot do. It has no key and
// no body.
func TestVegetaReadsItsResults(t *testing.T) {
	var file bytes.Buffer
	n := 0
	s, rec := senderTo(t, func(w http.ResponseWriter, r *http.Request) {
		if n++; n == 3 {
			w.WriteHeader(http.StatusTooManyRequests)
		}
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, "[]")
	})
	s.Plan, s.Results = "Free", NewResults(&file)
	if _, err := s.Run(context.Background(), Attack{Phase: record.Fill, Next: lists, Budget: 3}); err != nil {
		t.Fatal(err)
	}
	if err := s.Results.Flush(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(file.String(), key) {
		t.Errorf("the key is in vegeta's file: %s", &file)
	}
	decode := vegeta.DecoderFor(&file)
	if decode == nil {
		t.Fatal("vegeta doesn't know the encoding")
	}
	var metrics vegeta.Metrics
	for i := 0; ; i++ {
		var res vegeta.Result
		if err := decode(&res); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		r := rec.Records[i]
		if res.Attack != "load-free-fill" || res.URL != s.Base+"/pets" || res.Seq != uint64(i) || int(res.Code) != r.Status || res.BytesIn != 2 ||
			len(res.Body) > 0 || res.Latency < r.Done {
			t.Errorf("Result %d: %+v; the record: %+v", i, res, r)
		}
		metrics.Add(&res)
	}
	metrics.Close()
	if metrics.Requests != 3 || metrics.StatusCodes["429"] != 1 || metrics.StatusCodes["200"] != 2 {
		t.Errorf("vegeta's report: %+v", metrics)
	}
}

// A status below 100 is not HTTP and must not be divided or indexed by.
func TestAStatusBelow100IsNoHTTP(t *testing.T) {
	for _, status := range []int{0, 7, 99} {
		s, rec := senderOver(func(*http.Request) (*http.Response, error) { return answered(status, "[]") })
		if _, err := s.Run(context.Background(), Attack{Next: lists, Budget: 1}); err != nil {
			t.Fatal(err)
		}
		r := rec.Records[0]
		shape := rec.Shapes[r.Shape]
		if r.Status != 0 || shape.Response != nil || shape.Failure == nil || shape.Failure.Kind != exchange.NotHTTP {
			t.Errorf("status %03d: want no response and a failure of the kind %s; got %+v", status, exchange.NotHTTP, shape)
		}
	}
}

// With one worker the next request is chosen after the last response was processed.
func TestOneWorkerKnowsTheLastResponse(t *testing.T) {
	s, _ := senderTo(t, answer)
	known, early := 0, 0
	_, err := s.Run(context.Background(), Attack{Budget: 200, Workers: 1, Next: func(i int) Call {
		if known < i {
			early++
		}
		return lists(i)
	}, Each: func(*record.Record) bool { known++; return true }})
	if err != nil || known != 200 || early > 0 {
		t.Errorf("%d of 200 responses were known, and %d requests were chosen before (%v)", known, early, err)
	}
}
