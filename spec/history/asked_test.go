package history

import (
	"net/http"
	"testing"

	"petconform/spec"
	"petconform/spec/exchange"
)

// A listing has room if it shows fewer animals than its limit, and names no next page. Where the answer to the query is
// open, it has not.
func TestHasRoom(t *testing.T) {
	const two = `[{"id":1},{"id":2}]`
	for _, c := range []struct {
		path, body, link string
		want             bool
	}{
		{"/pets", two, "", true}, {"/pets?limit=3&status=sold", two, "", true}, {"/pets?limit=2", two, "", false},
		{"/pets", two, `</v1/pets?page=2>; rel="next"`, false}, {"/pets?limit=0", two, "", false}, {"/pets?limit=007", two, "", false},
		{"/pets?limit=9&limit=9", two, "", false}, {"/pets?status=SOLD", two, "", false}, {"/pets?page=2", two, "", false},
		{"/pets", "{}", "", false},
	} {
		x := ReadExchange(exchange.Exchange{Operation: spec.ListPets, Request: exchange.Request{Method: "GET", Path: c.path},
			Response: &exchange.Response{Status: 200, Header: http.Header{"Link": {c.link}}, Body: exchange.Body(c.body)}})
		if got := x.HasRoom(); got != c.want {
			t.Errorf("%s with %s, Link %q: want %t, got %t", c.path, c.body, c.link, c.want, got)
		}
	}
}

// TestOnlyNextContinues: a Link continues a listing by rel=next (RFC 8288) and by nothing else.
func TestOnlyNextContinues(t *testing.T) {
	for field, want := range map[string]bool{
		`</v1/pets?page=2>; rel="next"`: true, `</v1/pets?page=2>;rel=next`: true, `<a>; rel="first", <b>; title="x"; rel="NEXT last"`: true,
		`</v1/pets?after=next>; rel="self"`: false, `</next>; rel="prev"`: false, `<a>; title="next"`: false, `<a>; rel="nextcloud"`: false, `</v1/pets>; rel="successor-version"`: false,
	} {
		x := Exchange{Exchange: exchange.Exchange{Response: &exchange.Response{Header: http.Header{"Link": {field}}}}}
		if x.Continues() != want {
			t.Errorf("Link: %s continues: %t", field, !want)
		}
	}
}
