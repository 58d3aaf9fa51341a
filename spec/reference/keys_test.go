package reference

import (
	"net/http"
	"testing"

	"petconform/spec/exchange"
)

func TestTheKeyComesFirst(t *testing.T) {
	s := newService(t, testConfig())
	credentials := map[string]string{
		"none": "", "empty": "Bearer", "unknown": "Bearer nobody", "damaged": "Bearer " + exchange.Damage(testKey),
		"truncated": "Bearer " + exchange.Truncate(testKey), "extended": "Bearer " + testKey + "x",
		"swapped": "Bearer " + exchange.SwapCase(testKey), "bare": testKey, "token": "Token " + testKey,
		"basic": "Basic S2V5LW9mLXRoZS10ZXN0cy0wMTIzNDU2Nzg5Og==", "two words": "Bearer " + testKey + " " + testKey,
	}
	requests := [][3]string{
		{"GET", "/pets", ""}, {"GET", "/pets?limit=0", ""}, {"POST", "/pets", `{"name":"a","categoryId":1}`}, {"POST", "/pets", "no JSON"},
		{"GET", "/pets/1", ""}, {"GET", "/pets/x", ""}, {"GET", "/store/orders", ""}, {"GET", "/none", ""}, {"PATCH", "/pets", ""},
	}
	for name, credential := range credentials {
		for _, r := range requests {
			w := ask(t, s, r[0], r[1], r[2], "Authorization", credential)
			if w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") == "" {
				t.Errorf("%s %s with the credential %s: want 401 with WWW-Authenticate, got %d", r[0], r[1], name, w.Code)
			}
			wholeAnswer(t, w)
		}
	}
	if got := ask(t, s, "GET", "/pets", "", "Authorization", "bearer "+testKey); got.Code != 200 {
		t.Errorf("the scheme in lower case: want 200, got %d", got.Code)
	}
	if n := s.behaviour.Store.Len(); n != 0 {
		t.Errorf("no animal was wanted after requests without a key, there are %d", n)
	}
}
