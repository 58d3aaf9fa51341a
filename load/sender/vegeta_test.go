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
// record has: the status, the headers, the body and the failure.
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
		case "/v1/broken":
			w.Header().Set("Content-Length", "100")
		}
		_, _ = io.WriteString(w, `["Rex"]`)
	})
	paths := []string{"/pets", "/429", "/302", "/lost", "/pets", "/broken"}
	results := map[uint64]vegeta.Result{}
	send(t, s, Attack{Budget: 60, Workers: 4, Phase: record.Fill, Next: func(i int) Call {
		return Call{Method: http.MethodGet, Path: paths[i%len(paths)]}
	}, Result: func(res *vegeta.Result) { results[res.Seq] = *res }})
	again := 0
	for _, r := range rec.Records {
		got, ok := results[uint64(r.N)]
		if !ok && r.Reused { // vegeta has one Result of a request that was sent again
			again++
			continue
		}
		x := rec.Of(r)
		whole := x.Failure == nil
		served := whole && r.Status >= 200 && r.Status < 400
		if whole && int(got.Code) != r.Status || got.URL != rec.Meta.Target+x.Request.Path || (got.Error == "") != served {
			t.Errorf("request %d: vegeta has %+v; the record has a %d to %s", r.N, got, r.Status, x.Request.Path)
		}
		if whole && (!reflect.DeepEqual(got.Headers, x.Response.Header) || !bytes.Equal(got.Body, x.Response.Body)) {
			t.Errorf("request %d: vegeta has %q and %v; want %q and %v", r.N, got.Body, got.Headers, x.Response.Body, x.Response.Header)
		}
		if late := got.Latency - r.Done; late < 0 || late > time.Second {
			t.Errorf("request %d: vegeta says %s, and the record %s", r.N, got.Latency, r.Done)
		}
	}
	if len(results)+again != len(rec.Records) {
		t.Errorf("%d results of %d records", len(results), len(rec.Records))
	}
}
