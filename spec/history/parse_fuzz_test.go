package history_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"unicode/utf8"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// Every body can be read, and is malformed only if it is not JSON.
func FuzzReadExchange(f *testing.F) {
	for _, body := range []string{"", "[]", `[{"id":1,"name":"a","categoryId":7.0,"status":null}]`, `{"id":1e2,"id":"1e400"}`, `{"id":"0x10"}`, "\xff", "[[[[", `{"a":1}x`,
		`{"id":-0}`, `{"id":1E-400}`, `{"id":"9999999999999999999999999999999999999999.0"}`, "\ufeff[]", `"\ud800"`, `{"":{"":1,"":2}}`} {
		f.Add([]byte(body), "GET", "/pets?limit=1&limit=%zz", 200)
		f.Add([]byte(body), "POST", "/pets", 201)
		f.Add([]byte(body), "GET", "/pets/%zz1", 404)
	}
	f.Fuzz(func(t *testing.T, body []byte, method, path string, status int) {
		if len(body) > 1<<16 {
			return
		}
		x := history.ReadExchange(exchange.Exchange{N: 1, Operation: spec.OperationOf(method, path), Auth: exchange.Key,
			Request:  exchange.Request{Method: method, Path: path, Body: body},
			Response: &exchange.Response{Status: status, Header: http.Header{"Content-Type": {string(body), path}}, Body: body}})
		if x.Malformed == nil != (json.Valid(body) && utf8.Valid(body)) && bytes.Count(body, []byte("["))+bytes.Count(body, []byte("{")) < 100 { // not nested too deep
			t.Errorf("%q: encoding/json calls it valid: %t; it is called malformed: %v", body, json.Valid(body), x.Malformed)
		}
		pets, isList := x.Pets()
		if p, ok := x.Pet(); ok {
			pets = append(pets, p)
		}
		if x.Len() >= 0 != isList || isList && len(pets) > x.Len() {
			t.Errorf("%q: a listing of %d with %d animals (%t)", body, x.Len(), len(pets), isList)
		}
		for _, p := range pets {
			if d := p.Differences(p); len(d) > 0 {
				t.Errorf("%q: an animal differs from itself in %v", body, d)
			}
			if n, ok := history.Int64(p.Members["id"]); ok && p.ID == "" {
				t.Errorf("%q: the id is the int64 %d, and no id is read", body, n)
			}
			_, _ = p.Category(), p.Known()
		}
		_, _, _, _ = x.MediaType(), x.PetID(), x.SentName(), history.KindOf(x.Value)
		_, _ = x.SentPet()
		_, _ = x.Asked("limit")
		_ = history.From(exchange.Meta{}, nil, []history.Exchange{x}).Created()
	})
}
