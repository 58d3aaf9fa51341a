package checks

import (
	"net/http"
	"testing"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// TestOthersLeftOut: an animal whose id the run was given is none of another client, whatever a listing showed before.
func TestOthersLeftOut(t *testing.T) {
	for _, row := range []struct{ name, created, want string }{
		{"another client's", "8", "7"},
		{"its id is given to the run's animal", "7", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var rec exchange.Recording
			add := func(check string, o spec.Operation, method, path, sent string, status int, body string) {
				rec.Exchanges = append(rec.Exchanges, exchange.Exchange{N: len(rec.Exchanges) + 1, Check: check, Operation: o, Auth: exchange.Key,
					Request:  exchange.Request{Method: method, Path: path, Body: exchange.Body(sent)},
					Response: &exchange.Response{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: exchange.Body(body)}})
			}
			add(ListAll.ID, spec.ListPets, "GET", "/pets?limit=100", "", 200, `[{"id":7,"name":"Rex","categoryId":1,"status":"sold"}]`)
			add("create-statuses", spec.CreatePet, "POST", "/pets", `{"name":"Mia","categoryId":1}`, 201, `{"id":`+row.created+`,"name":"Mia","categoryId":1}`)
			add("list-status-sold", spec.ListPets, "GET", "/pets?status=sold", "", 200, `[]`)
			h, got := history.Of(&rec), ""
			for _, p := range othersLeftOut(h, h.All[2], spec.DefaultLimit, spec.Sold) {
				got += p.ID
			}
			if got != row.want {
				t.Errorf("left out: %q, want %q", got, row.want)
			}
		})
	}
}
