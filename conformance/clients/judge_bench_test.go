package clients

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// flood is a recording of a client that does not wait: of each hundred requests, one is answered with twenty animals, and the
// others are refused. Each connection has perConnection requests.
func flood(n, perConnection int) *exchange.Recording {
	started := time.Unix(1_800_000_000, 0)
	settings, _ := json.Marshal(Settings{})
	rec := &exchange.Recording{Meta: exchange.Meta{Kind: Kind, Started: started, AsOf: started, Settings: settings}, End: &exchange.End{Ended: started}}
	pets := "[" + strings.Repeat(`{"id":9223372036854775807,"name":"Ada","categoryId":1,"status":"available"},`, 19) + `{"id":7,"name":"Ada","categoryId":1}]`
	for i := range n {
		x := exchange.Exchange{N: i + 1, Operation: spec.ListPets, Auth: exchange.Key, Sent: started.Add(time.Duration(i) * 400 * time.Microsecond), Reused: i%perConnection > 0,
			Request:   exchange.Request{Method: http.MethodGet, Path: fmt.Sprintf("/pets?limit=20&n=%d", i)},
			Caller:    &exchange.Caller{Key: "key", Host: "192.0.2.1", Connection: 1 + i/perConnection},
			FirstByte: 300 * time.Microsecond, Done: 350 * time.Microsecond}
		x.Response = &exchange.Response{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: exchange.Body(pets)}
		if i%100 > 0 {
			x.Response = &exchange.Response{Status: http.StatusTooManyRequests, Body: exchange.Body(`{"code":"rate_limited","message":"wait","status":429}`),
				Header: http.Header{spec.HeaderRetryAfter: {fmt.Sprint(60 - i*400/1_000_000)}}}
		}
		rec.Exchanges = append(rec.Exchanges, x)
	}
	return rec
}

func BenchmarkJudge(b *testing.B) {
	for _, perConnection := range []int{1, 2, 26_000} {
		for _, n := range []int{13_000, 26_000} {
			rec := flood(n, perConnection)
			b.Run(fmt.Sprintf("%d requests, %d a connection", n, perConnection), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Judge(rec); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
