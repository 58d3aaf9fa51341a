package checks

import (
	"fmt"
	"slices"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/invalid"
)

// operations lists the operations with the word for each in the ids of checks, and a valid request.
var operations = []struct {
	word      string
	operation spec.Operation
	request   func(s *check.Sender, step string, opts ...check.Option) check.Request
}{
	{"list", spec.ListPets, func(_ *check.Sender, step string, opts ...check.Option) check.Request {
		return check.List(step, check.Query{}, opts...)
	}},
	{"create", spec.CreatePet, func(s *check.Sender, step string, opts ...check.Option) check.Request {
		return check.Create(step, s.Pet("unauthorized-"+step, spec.Available), opts...)
	}},
	{"get", spec.GetPet, func(s *check.Sender, step string, opts ...check.Option) check.Request {
		return check.Get(step, anyID(s), opts...)
	}},
	{"orders", spec.StoreOrders, func(_ *check.Sender, step string, opts ...check.Option) check.Request {
		return check.Orders(step, opts...)
	}},
}

var (
	wrongKeys = invalid.Credentials("AUTH-3") // unknown or prefixed, then the usual faults of a comparison
	fineKeys  = wrongKeys[6:]                 // finer faults
	schemes   = invalid.Credentials("AUTH-4")
	rare      = schemes[5:] // a service that cuts off seven characters accepts any scheme of six letters
)

// credentials are those that every operation answers 401 to (Authentication, 1 to 4). Most services compare keys and
// schemes in one place, so a quick run sends each to one operation; a full run sends all to each.
var credentials = []struct {
	id, title string
	all       []exchange.Auth
	quick     map[spec.Operation]values[exchange.Auth]
}{
	{"auth-missing-", "401 without a key", []exchange.Auth{exchange.NoKey}, nil},
	{authInvalid, "401 for a key that is not valid", wrongKeys, map[spec.Operation]values[exchange.Auth]{
		spec.ListPets:    {always: []exchange.Auth{exchange.EmptyKey}}, // authAtOnce sends others, with a query
		spec.GetPet:      {always: []exchange.Auth{exchange.PrefixedKey}, varied: fineKeys},
		spec.CreatePet:   {varied: slices.Concat(fineKeys[1:], fineKeys[:1])}, // not the same as the others
		spec.StoreOrders: {varied: slices.Concat(fineKeys[2:], fineKeys[:2])},
	}},
	{"auth-scheme-", "401 for the right key under another scheme, under none, or in another header", schemes,
		map[spec.Operation]values[exchange.Auth]{
			spec.ListPets:    {always: []exchange.Auth{exchange.APIKeyScheme, exchange.NoScheme, exchange.KeyHeader}, varied: rare},
			spec.GetPet:      {always: []exchange.Auth{exchange.NoScheme, exchange.BasicScheme, exchange.BasicPassword}},
			spec.CreatePet:   {always: []exchange.Auth{exchange.NoScheme}},
			spec.StoreOrders: {always: []exchange.Auth{exchange.NoScheme}},
		}},
}

func authRefused() []check.Check {
	var checks []check.Check
	for _, family := range credentials {
		for _, o := range operations {
			sent, some := family.quick[o.operation]
			if !some {
				sent.always = family.all
			}
			quick := slices.Concat(sent.always, sent.varied)
			sent.deep = keepIf(family.all, func(a exchange.Auth) bool { return !slices.Contains(quick, a) })
			first, _ := invalid.CredentialOf(family.all[0])
			checks = append(checks, sent.sentBy(check.Check{
				ID: family.id + o.word, Title: family.title, Operation: o.operation, Proves: first.Breaks, After: after(o.operation),
				Last:  family.id == authInvalid && o.operation == spec.GetPet, // beside atOnce
				Judge: func(j *check.Judge) { judgeCredentials(j, o.word) },
			}, authStep, func(s *check.Sender, a exchange.Auth) check.Request {
				a = unlike(s, a)
				return o.request(s, authStep(a), check.As(a))
			}))
		}
	}
	return checks
}

// authInvalid begins the ids of the checks that send wrong keys.
const authInvalid = "auth-invalid-"

// atOnce are wrong keys that are sent at once. With the two for getPet they are five, beside one other request: of three
// replicas that take turns, each answers one, whatever their order is.
var atOnce = []exchange.Auth{exchange.TruncatedKey, exchange.ExtendedKey, exchange.SwappedCaseKey}

var authAtOnce = check.Check{
	ID: authInvalid + "at-once", Title: "401 for a key that is not valid, by each replica", Operation: spec.ListPets,
	Proves: "AUTH-3", Requests: len(atOnce), Last: true,
	Send: func(s *check.Sender) {
		s.Together(each(s, atOnce, func(s *check.Sender, a exchange.Auth) check.Request {
			a = unlike(s, a)
			// A router may guard the path without a query alone.
			return check.List(authStep(a), check.Query{Limit: "5", Status: string(spec.Available)}, check.As(a))
		})...)
	},
	Judge: func(j *check.Judge) { judgeCredentials(j, "list") },
}

// unlike returns a credential that differs from the key: one without letters is the same in other letters.
func unlike(s *check.Sender, a exchange.Auth) exchange.Auth {
	if key := s.Key.Reveal(); a == exchange.SwappedCaseKey && exchange.SwapCase(key) == key {
		return exchange.DamagedKey
	}
	return a
}

func authStep(a exchange.Auth) string {
	if a == exchange.NoKey {
		return "no-key"
	}
	return string(a)
}

func judgeCredentials(j *check.Judge, word string) {
	// A card shows the first: one that 401 alone answers is the plainest.
	sent := slices.SortedStableFunc(slices.Values(j.Beside("")), func(x, y history.Exchange) int { return answers(x) - answers(y) })
	for _, x := range sent {
		switch c, _ := invalid.CredentialOf(x.Auth); {
		case x.Auth == exchange.NoKey && x.Step != authStep(x.Auth): // sent again, to see how often
		case x.Auth == exchange.KeyHeader && keyless(j.History, word, x.Status()):
		default:
			j.Status(c.Breaks, x, c.Gets()...)
		}
	}
}

// answers is how many statuses may answer the credential of x.
func answers(x history.Exchange) int {
	c, _ := invalid.CredentialOf(x.Auth)
	return len(c.Gets())
}

// keyless reports whether a request without any key gets the same status, other than 401. The check auth-missing finds
// that.
func keyless(h *history.History, word string, status int) bool {
	x := last(h, "auth-missing-"+word)
	return x.Answered() && x.Status() == status && status != 401
}

// anyID returns the id of an animal that exists, if the run knows one. A service that does not check the key then
// returns the animal.
func anyID(s *check.Sender) string {
	var pets []history.Pet
	for _, x := range s.Sent("create-statuses") { // the same in every run
		pets = append(pets, x.Shown()...)
	}
	for _, c := range s.Created() {
		pets = append(pets, c.Answered)
	}
	pets = append(pets, petsIn(s.Sent("list-all"))...)
	for _, p := range pets {
		if p.ID != "" {
			return p.ID
		}
	}
	return "1"
}

// after lists the checks that create the animal for getPet and fetch it with the key, so that a cache which ignores the
// key then serves it.
func after(operation spec.Operation) []string {
	if operation == spec.GetPet {
		return []string{"create-statuses", getExisting.ID}
	}
	return nil
}

// authLowerCaseScheme observes whether "bearer" is accepted. Schemes are case-insensitive in HTTP (RFC 9110, section
// 11.1), and the interface shows "Bearer" only.
var authLowerCaseScheme = check.Check{
	ID: "auth-lower-case-scheme", Title: "The scheme written bearer", Operation: spec.ListPets,
	Proves: "AUTH-8", Requests: 1, Spare: true,
	Send: func(s *check.Sender) { s.List("bearer", check.Limit(1), check.As(exchange.LowerCaseScheme)) },
	Judge: func(j *check.Judge) {
		x := j.Step("bearer")
		if !j.Usable(x) {
			return
		}
		word := map[int]string{200: "accepted", 401: "refused"}[x.Status()]
		if word == "" {
			word = fmt.Sprintf("answered %d", x.Status())
		}
		j.Observe("AUTH-8", "bearer in lower case", word)
	},
}
