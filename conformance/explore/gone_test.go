package explore

import (
	"net/http"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// TestAnAnimalIsGone: only an answer to a valid key that shows an animal again says that a replica still has it.
func TestAnAnimalIsGone(t *testing.T) {
	const rex = `{"id":7,"name":"Rex","categoryId":1}`
	for _, row := range []struct {
		name   string
		auth   exchange.Auth
		status int
		body   string
		want   bool
	}{
		{"refused for its key", exchange.UnknownKey, 401, `{}`, true},
		{"limited", exchange.Key, 429, `{}`, true},
		{"shown", exchange.Key, 200, rex, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			var rec exchange.Recording
			add := func(at int, auth exchange.Auth, o spec.Operation, method, path, sent string, status int, body string) {
				rec.Exchanges = append(rec.Exchanges, exchange.Exchange{N: len(rec.Exchanges) + 1, Check: "explore", Operation: o, Auth: auth,
					Request:  exchange.Request{Method: method, Path: path, Body: exchange.Body(sent)},
					Response: &exchange.Response{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: exchange.Body(body)},
					Sent:     time.Unix(int64(at), 0), Done: time.Millisecond})
			}
			add(0, exchange.Key, spec.CreatePet, "POST", "/pets", `{"name":"Rex","categoryId":1}`, 201, rex)
			add(20, exchange.Key, spec.GetPet, "GET", "/pets/7", "", 404, `{}`)
			add(21, row.auth, spec.GetPet, "GET", "/pets/7", "", row.status, row.body)
			add(22, exchange.Key, spec.GetPet, "GET", "/pets/7", "", 404, `{}`)
			add(23, exchange.Key, spec.ListPets, "GET", "/pets?limit=100", "", 200, `[]`)
			r := newReader(history.Of(&rec), 10*time.Second)
			if len(r.created) != 1 || r.isGone(r.created[0]) != row.want {
				t.Errorf("%s created; gone: %t is wanted", spec.Count(len(r.created), "animal"), row.want)
			}
		})
	}
}
