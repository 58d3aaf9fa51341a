package reference

import (
	"strconv"
	"testing"
	"time"

	"petconform/spec"
)

func TestTheLimitIsKept(t *testing.T) {
	cfg := testConfig()
	standing := &clock{testStart}
	cfg.Now = standing.Now
	cfg.Keys[0].Plan = spec.Free
	s := newService(t, cfg)
	for i := range 60 {
		w := ask(t, s, "GET", "/pets", "")
		if got, want := w.Header().Get(spec.HeaderRemaining), strconv.Itoa(59-i); w.Code != 200 || got != want {
			t.Fatalf("request %d: want 200 with %s remaining, got %d with %s", i+1, want, w.Code, got)
		}
	}
	standing.now = standing.now.Add(12*time.Second + 500*time.Millisecond)
	w := ask(t, s, "POST", "/pets", `{"name":"a","categoryId":1}`)
	wholeAnswer(t, w)
	if w.Code != 429 || w.Header().Get(spec.HeaderRetryAfter) != "48" || w.Header().Get(spec.HeaderRemaining) != "0" {
		t.Errorf("want 429, Retry-After 48 and nothing remaining, got %d with %v", w.Code, w.Header())
	}
	if w := ask(t, s, "GET", "/pets", "", "Authorization", "Bearer Another-key-9876543210"); w.Code != 200 || w.Body.String() != "[]" {
		t.Errorf("another key gets 200 and no animal, %d %s came", w.Code, w.Body)
	}
	standing.now = standing.now.Add(48 * time.Second)
	if w := ask(t, s, "GET", "/pets", ""); w.Code != 200 {
		t.Errorf("after Retry-After: want 200, got %d", w.Code)
	}
}
