package run_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// TestAnOutageNamesWhatWasInFlight: a service that crashes closes the connection of the request that it worked on, and refuses others.
// The warning names that request.
func TestAnOutageNamesWhatWasInFlight(t *testing.T) {
	var answered atomic.Bool
	r, _ := duringOutage(t, nil, &outage{
		down: func(n, _ int, _ spec.Operation, _ time.Duration) bool { return n >= 16 },
		answer: func(*http.Request) (*http.Response, error) {
			if answered.Swap(true) {
				return nil, syscall.ECONNREFUSED
			}
			return nil, io.EOF
		}})
	told := strings.Join(r.Warnings, "\n")
	if r.Verdict != verdict.NoVerdict || strings.Count(told, "exchange ") != 1 || !strings.Contains(told, "may have crashed the service") {
		t.Errorf("%s, %s; no verdict, and the request in flight, are wanted", r.Verdict, told)
	}
	if strings.Contains(told, "the response to that was judged") {
		t.Errorf("%s; nothing came", told)
	}
}

// TestAnOutageWithNothingInFlight names no request: the service was stopped while none was under way.
func TestAnOutageWithNothingInFlight(t *testing.T) {
	r, _ := duringOutage(t, nil, &outage{answer: gateways["refused"],
		down: func(n, _ int, _ spec.Operation, since time.Duration) bool { return n >= 16 && since < 3*time.Second }})
	if told := strings.Join(r.Warnings, "\n"); strings.Contains(told, "crash") || !strings.Contains(told, "the response to that was judged") {
		t.Errorf("%s; an outage in which nothing was in flight is wanted", told)
	}
}
