package sender

import (
	"bytes"
	"io"
	"net/http"
	"reflect"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
)

// TestVegetasResultsAreReal has responses of several kinds. vegeta's Result of each has the number of its record, and what the
// record has: the status, the headers, the body and the failure. vegeta's Metrics over both are the same.
func TestVegetasResultsAreReal(t *testing.T) {
	s, rec := senderTo(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-RateLimit-Limit", "60")
		switch r.URL.Path {
		case "/v1/429":
			w.WriteHeader(http.StatusTooManyRequests)
		case "/v1/302":
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		case "/v1/lost":
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, `["Rex"]`)
	})
	paths := []string{"/pets", "/429", "/302", "/lost", "/pets", "/429"}
	var live, kept vegeta.Metrics
	results := map[uint64]vegeta.Result{}
	send(t, s, Attack{Budget: 60, Workers: 4, Phase: record.Fill, Next: func(i int) Call {
		return Call{Method: http.MethodGet, Path: paths[i%len(paths)]}
	}, Result: func(res *vegeta.Result) {
		results[res.Seq] = *res
		live.Add(res)
	}})
	missing := 0
	for _, r := range rec.Records {
		x, _ := rec.Exchange(r.N)
		got, ok := results[uint64(r.N)]
		want := rec.Result(&r)
		kept.Add(&want)
		if !ok && r.Reused { // vegeta has one Result of a request that was sent again
			missing++
			live.Add(&want)
			continue
		}
		if got.Code != want.Code || got.BytesIn != want.BytesIn || got.URL != want.URL || got.Attack != want.Attack || (got.Error == "") != (want.Error == "") {
			t.Errorf("request %d: vegeta has %+v; the record says %+v", r.N, got, want)
		}
		if r.Status > 0 && (!reflect.DeepEqual(got.Headers, x.Response.Header) || !bytes.Equal(got.Body, x.Response.Body)) {
			t.Errorf("request %d: vegeta has %q and %v; want %q and %v", r.N, got.Body, got.Headers, x.Response.Body, x.Response.Header)
		}
		if late := got.Latency - want.Latency; late < 0 || late > time.Second {
			t.Errorf("request %d: vegeta says %s, and the record %s", r.N, got.Latency, want.Latency)
		}
	}
	live.Close()
	kept.Close()
	if !reflect.DeepEqual(live.StatusCodes, kept.StatusCodes) || live.BytesIn != kept.BytesIn || live.Success != kept.Success || live.StatusCodes["302"] != 10 {
		t.Errorf("vegeta's metrics %+v; of the records: %+v", live, kept)
	}
	if len(results)+missing != len(rec.Records) {
		t.Errorf("%d results of %d records", len(results), len(rec.Records))
	}
}
