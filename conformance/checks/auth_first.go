package checks

import (
	"fmt"
	"net/http"
	"strings"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// authFirst sends requests that have another fault besides the missing or unknown key. They get a 401 too, since
// Authentication, 4 depends on the key alone. If an operation does not answer 401 to a request without another fault,
// the check is inconclusive.
func authFirst() []check.Check {
	noKey := check.As(exchange.NoKey)
	unknown := check.As(exchange.UnknownKey)
	form := check.Post("media-type", `name=Rex&categoryId=1`, noKey, check.ContentType("application/x-www-form-urlencoded"))
	const limit, status = "limit=0", "status=unheard-of"
	query := func(raw string) check.Request { return check.List("limit-and-status", check.Query{Raw: raw}, noKey) }
	list := keyFirst("list", spec.ListPets, func(s *check.Sender) { s.Do(query(limit + "&" + status)) }, nil,
		func(*check.Sender) []check.Request { // a router that reads numbers may let 0 pass
			return []check.Request{check.List("no-number", check.Query{Raw: "limit=ten"}, noKey)}
		})
	list.Parts = func(s *check.Sender) []check.Request {
		x := lastOf(s.Sent(list.ID))
		return partsOf(x, x.Status() == http.StatusUnauthorized, query(status), query(limit))
	}
	return []check.Check{
		list,
		keyFirst("create", spec.CreatePet, func(s *check.Sender) {
			s.Do(check.Post("not-json", `{"name":`, noKey)) // a parser that comes before the key gives itself away
		}, []check.Request{form}, func(*check.Sender) []check.Request {
			return []check.Request{check.Post("lacks-fields", `{}`, unknown)}
		}),
		keyFirst("get", spec.GetPet, func(s *check.Sender) {
			s.Get("no-integer", "1.5", noKey)
		}, nil, func(s *check.Sender) []check.Request {
			return []check.Request{check.Reading(func() {
				for n, status := 0, 401; n < emptied && status == 401; n++ {
					s.Get("unknown-animal, with the key", unknownID(s, 0)) // a cache may keep the 404
					status = s.Get("unknown-animal", unknownID(s, 0), unknown).Status()
				}
			})}
		}),
	}
}

// emptied is how often a cache is asked that a creation beside it may have emptied.
const emptied = 3

func keyFirst(word string, o spec.Operation, send func(*check.Sender), further []check.Request,
	deep func(*check.Sender) []check.Request) check.Check {
	deeper := map[spec.Operation]int{spec.ListPets: 1, spec.CreatePet: 1, spec.GetPet: 2 * emptied}[o]
	return check.Check{
		ID: "auth-first-" + word, Title: "The key is checked first", Operation: o, Proves: "AUTH-5",
		Requests: 1 + len(further), Deeper: deeper, Needs: []string{"auth-missing-" + word, "auth-invalid-" + word}, Send: send,
		Further: func(*check.Sender) []check.Request { return further }, Deep: deep,
		Judge: func(j *check.Judge) {
			for _, x := range j.Steps("") {
				if strings.Contains(x.Step, partStep) || x.Auth.Valid() {
					continue
				}
				if x = narrowest(j, x.Step); !j.Usable(x) || x.Status() == 401 {
					continue
				}
				if right, ok := unguarded(j.History, word, x); ok {
					j.UnsureFor(right, fmt.Sprintf("exchange %d, which differs in nothing but the key from a valid request, was answered %d and not 401", right.N, right.Status()))
					continue
				}
				j.Status("AUTH-5", x, 401)
			}
		},
	}
}

// unguarded returns a request with a credential like that of x, none or a wrong key, and no other fault, that did not
// get a 401. What takes any key may be one replica, which other operations met.
func unguarded(h *history.History, word string, x history.Exchange) (history.Exchange, bool) {
	like := h.Of("auth-missing-" + word)
	if x.Auth == exchange.UnknownKey {
		like = keepIf(h.All, func(y history.Exchange) bool { return strings.HasPrefix(y.Check, "auth-invalid-") })
	}
	return firstOf(like, func(y history.Exchange) bool { return y.Answered() && y.Status() != 401 && !y.Limited() })
}

// elsewhere asks for a path that the interface does not name, for the rules error-elsewhere and rate-headers-elsewhere.
// Other methods are not tried: nothing says what they would do.
var elsewhere = check.Check{
	ID: "elsewhere", Title: "A path that the interface does not name", Operation: spec.Elsewhere,
	Requests: 1, Spare: true,
	Send: func(s *check.Sender) {
		s.Do(check.Raw("path", "/petconform-no-such-path"))
	},
}
