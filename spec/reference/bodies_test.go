package reference

import (
	"net/http"
	"strings"
	"testing"
)

var validBodies = []string{
	`{"name":"Zoë  O'Malley \"the <b>cat</b>\" & 犬 🐕 % 100%25 + null","categoryId":9007199254740993,"status":"pending"}`,
	`{"name":" McCavity ","categoryId":2147483648}`, `{"name":"a%20b","categoryId":1}`,
	`{"name":"` + strings.Repeat("long ", 80) + `","categoryId":9223372036854775807,"status":"sold"}`,
	`{"name":"a\n\\\u0000b","categoryId":-9223372036854775808,"status":"sold"}`, `{"id":4711,"name":"Bruno","categoryId":3}`,
	"{\n\"categoryId\":-7,\n\"name\":\"Rex\",\"status\":\"available\"}", `{"name":"null","categoryId":0,"status":"available"}`,
}

// refusedBodies must be answered 400.
var refusedBodies = []string{
	``, ` `, `null`, `[]`, `"x"`, `7`, `{`, `{}`, `{"name":"a"}`, `{"categoryId":1}`, `{"NAME":"a","categoryId":1}`,
	`{"name":"a","categoryid":1}`, `{"name":null,"categoryId":1}`, `{"name":1,"categoryId":1}`,
	`{"name":["a"],"categoryId":1}`, `{"name":{},"categoryId":1}`, `{"name":true,"categoryId":1}`,
	`{"name":"a","categoryId":"1"}`, `{"name":"a","categoryId":1.5}`, `{"name":"a","categoryId":9223372036854775808}`,
	`{"name":"a","categoryId":-9223372036854775809}`, `{"name":"a","categoryId":1e400}`,
	`{"name":"a","categoryId":true}`, `{"name":"a","categoryId":null}`, `{"name":"a","categoryId":[1]}`,
	`{"name":"a","categoryId":7.0}`, `{"name":"a","categoryId":1,"status":"Sold"}`,
	`{"name":"a","categoryId":1,"status":""}`, `{"name":"a","categoryId":1,"status":1}`,
	`{"name":"a","categoryId":1,"status":null}`, `{"name":"a","categoryId":1,"status":true}`,
	`{"name":"a","categoryId":1,"status":["sold"]}`, `{"name":"a","categoryId":0x1F}`, `{"name":"a","categoryId":1} x`,
	`{"name":"a","categoryId":1}{}`, `{"name":"a","categoryId":1,}`, `{"name":"a","categoryId":NaN}`,
	`{"name":"a","categoryId":1/**/}`, `{'name':'a','categoryId':1}`, `name=a&categoryId=1`,
	`[{"name":"a","categoryId":1}]`, `{"name":"a","categoryId":{}}`, `{"name":"a","categoryId":1,"status":" sold "}`,
	`"{\"name\":\"a\",\"categoryId\":1}"`, `{name:"a",categoryId:1}`, `{"name":"a","name":"b","categoryId":1}`,
	`{"name":"a","categoryId":01}`, `{"name":"a","categoryId":+1}`, "{\"name\":\"a\nb\",\"categoryId\":1}",
	"{\"name\":\"\xff\",\"categoryId\":1}", `{"name":"\ud800","categoryId":1}`,
	"\ufeff" + `{"name":"a","categoryId":1}`, strings.Repeat("[", 200_000),
}

func TestRefusedBodies(t *testing.T) {
	s := newService(t, testConfig())
	for _, body := range refusedBodies {
		w := ask(t, s, "POST", "/pets", body)
		if w.Code != http.StatusBadRequest {
			t.Errorf("%.80q: want 400, got %d: %s", body, w.Code, w.Body)
			continue
		}
		wholeAnswer(t, w)
	}
	if n := s.behaviour.Store.Len(); n != 0 {
		t.Errorf("no animal was wanted after refused bodies, there are %d", n)
	}
}
