package checks_test

import (
	"net/http"
	"testing"

	"petconform/conformance/checks"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

func TestNextPage(t *testing.T) {
	for _, c := range []struct{ name, link, body, want string }{
		{"the path and a query", `</v1/pets?limit=100&page=2>; rel="next"`, `[{}]`, "limit=100&page=2"},
		{"a whole address, without quotes", `<https://pets.example/v1/pets?cursor=a%2Fb>; rel=next`, `[{}]`, "cursor=a%2Fb"},
		{"after another link", `</v1/pets>; rel="first", </v1/pets?offset=100>; rel="next"`, `[{}]`, "offset=100"},
		{"before another link", `</v1/pets?offset=100>; title="more"; rel="next", </v1/pets?offset=400>; rel="last"`, `[{}]`, "offset=100"},
		{"a query alone", `<?page=2>; rel="next"`, `[{}]`, "page=2"},
		{"only another link", `</v1/pets?offset=400>; rel="last"`, `[{}]`, ""},
		{"another operation", `</v1/orders?page=2>; rel="next"`, `[{}]`, ""},
		{"no link", "", `[{}]`, ""},
		{"an empty page", `</v1/pets?page=2>; rel="next"`, `[]`, ""},
		{"not an address", `<::>; rel="next"`, `[{}]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := history.ReadExchange(exchange.Exchange{N: 1, Operation: spec.ListPets, Request: exchange.Request{Method: http.MethodGet, Path: "/pets?limit=100"},
				Response: &exchange.Response{Status: 200, Header: http.Header{"Link": {c.link}}, Body: exchange.Body(c.body)}})
			if got, ok := checks.NextPage(x); got != c.want || ok != (c.want != "") {
				t.Errorf("%q, %v; %q is wanted", got, ok, c.want)
			}
		})
	}
}
