package sample

import (
	"encoding/json"
	"net/http"
	"time"

	"petconform/conformance/clients"
	"petconform/spec"
	"petconform/spec/exchange"
)

// Client is the run of a client that does not wait after its second 429 of three, on two connections.
func Client() Run {
	rec := &exchange.Recording{Meta: exchange.Meta{Format: exchange.Format, Kind: clients.Kind, Tool: "petconform 0.3.0+9c1d2e7", Target: "http://127.0.0.1:8080/v1",
		Reference: true, Run: "r-1c1e", Seed: 1, Started: Start, AsOf: Start, Planned: clients.RuleIDs(), Settings: json.RawMessage(`{"command":true}`)}}
	for i, x := range []struct {
		at         time.Duration
		connection int
		status     int
	}{
		{0, 1, 200}, {10 * time.Millisecond, 1, 429}, {2100 * time.Millisecond, 1, 429}, {2300 * time.Millisecond, 2, 429}, {7 * time.Second, 2, 200},
	} {
		header := http.Header{"Content-Type": {"application/json"}}
		if x.status == http.StatusTooManyRequests {
			header[spec.HeaderRetryAfter] = []string{"2"}
		}
		rec.Exchanges = append(rec.Exchanges, exchange.Exchange{N: i + 1, Check: clients.Sender, Attempt: 1, Operation: spec.ListPets, Auth: exchange.Key,
			Request:  exchange.Request{Method: http.MethodGet, Path: "/pets?limit=5", Header: http.Header{"User-Agent": {"pet-sdk/1.2"}}},
			Response: &exchange.Response{Status: x.status, Proto: "HTTP/1.1", Header: header, Body: exchange.Body("[]"), Size: 2},
			Caller:   &exchange.Caller{Key: "key", Host: "127.0.0.1", Connection: x.connection}, Sent: Start.Add(x.at), Done: time.Millisecond})
	}
	rec.End = &exchange.End{Ended: Start.Add(8 * time.Second)}
	res, err := clients.Judge(rec)
	if err != nil {
		panic(err)
	}
	return Run{Results: res, Recording: rec}
}
