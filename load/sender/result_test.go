package sender

import (
	"context"
	"net/http"
	"testing"

	"petconform/load/record"
	"petconform/spec/exchange"
)

// A status below 100 is not HTTP and must not be divided or indexed by.
func TestAStatusBelow100IsNoHTTP(t *testing.T) {
	for _, status := range []int{0, 7, 99} {
		s, rec := senderOver(func(*http.Request) (*http.Response, error) { return answered(status, "[]") })
		if _, err := runOf(s, context.Background(), Attack{Next: lists, Budget: 1}); err != nil {
			t.Fatal(err)
		}
		r := rec.Records[0]
		shape := r.Like
		if r.Status != 0 || shape.Response != nil || shape.Failure == nil || shape.Failure.Kind != exchange.NotHTTP {
			t.Errorf("status %03d: want no response and a failure of the kind %s; got %+v", status, exchange.NotHTTP, shape)
		}
	}
}

// With one worker the next request is chosen after the last response was processed.
func TestOneWorkerKnowsTheLastResponse(t *testing.T) {
	s, _ := senderTo(t, answer)
	known, early := 0, 0
	_, err := runOf(s, context.Background(), Attack{Budget: 200, Workers: 1, Next: func(i int) Call {
		if known < i {
			early++
		}
		return lists(i)
	}, Each: func(*record.Record) bool { known++; return true }})
	if err != nil || known != 200 || early > 0 {
		t.Errorf("%d of 200 responses were known, and %d requests were chosen before (%v)", known, early, err)
	}
}
