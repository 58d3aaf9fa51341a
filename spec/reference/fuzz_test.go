package reference

import (
	"encoding/json"
	"net/http"
	"testing"

	"petconform/spec"
)

// fuzzConfig has a plan that is too large to be spent, so that no answer is a 429.
func fuzzConfig() Config {
	cfg := testConfig()
	cfg.Keys[0].Plan = spec.Plan{Name: "Enterprise", PerMinute: 1 << 40, PerDay: 1 << 50}
	return cfg
}

// FuzzCreatePet sends any bytes as a NewPet. The answer is a 201 with the same values, or a 400.
func FuzzCreatePet(f *testing.F) {
	for _, body := range validBodies {
		f.Add([]byte(body))
	}
	for _, body := range refusedBodies {
		if len(body) < 1000 {
			f.Add([]byte(body))
		}
	}
	s := newService(f, fuzzConfig())
	f.Fuzz(func(t *testing.T, body []byte) {
		w := ask(t, s, "POST", "/pets", string(body))
		switch w.Code {
		case http.StatusCreated:
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
			wholeAnswer(t, w)
			return
		default:
			t.Fatalf("%q: want 201 or 400, got %d", body, w.Code)
		}
		var sent spec.NewPet
		var got spec.Pet
		if err := json.Unmarshal(body, &sent); err != nil {
			t.Fatalf("got 201 for %q, which is not a NewPet: %v", body, err)
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.NewPet != sent && !foldsMembers(body) {
			t.Fatalf("want %q, got %s: %v", body, w.Body, err)
		}
		if kept, found := s.behaviour.Store.Get(got.ID); kept != got || !found {
			t.Fatalf("%+v was answered, %+v is kept", got, kept)
		}
	})
}

// foldsMembers reports whether a body has other members, which encoding/json may read as those of NewPet in another case.
func foldsMembers(body []byte) bool {
	var members map[string]any
	if json.Unmarshal(body, &members) != nil {
		return true
	}
	delete(members, "name")
	delete(members, "categoryId")
	delete(members, "status")
	return len(members) > 0
}

// FuzzQuery sends any query and any path, and checks what every answer has.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{"limit=1", "limit=100&status=sold", "limit=%zz", "limit=1&limit=2", "status=%73old", "a=b;c", "limit=99999999999999999999", "&&=&"} {
		f.Add(query)
	}
	s := newService(f, fuzzConfig())
	f.Fuzz(func(t *testing.T, query string) {
		r, err := http.NewRequest(http.MethodGet, "/v1/pets", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.URL.RawQuery = query
		for _, path := range []string{"/v1/pets", "/v1/pets/" + query, query} {
			r.URL.Path, r.URL.RawPath = path, ""
			r.Header.Set("Authorization", "Bearer "+testKey)
			w := answerTo(s, r)
			if w.Code != 200 && w.Code != 400 && w.Code != 404 {
				t.Fatalf("%q: want 200, 400 or 404, got %d", query, w.Code)
			}
			wholeAnswer(t, w)
		}
	})
}
