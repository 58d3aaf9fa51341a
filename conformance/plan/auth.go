package plan

import (
	"slices"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/invalid"
)

// authChecks are those of requests that have no valid key. Authentication, 1 to 4: each is answered 401.
var authChecks = slices.Concat(refusedCredentials(), keyFirst, []Check{
	{ID: "auth-lower-case-scheme", Title: "The scheme written bearer", Operation: spec.ListPets, Proves: "AUTH-8", In: Opening, Rows: []Row{
		list("bearer", "limit=1").as(exchange.LowerCaseScheme).open("AUTH-8", "bearer in lower case").spare(),
	}},
})

// guarded are the operations with the word for each in the ids of checks, and a valid request.
var guarded = []struct {
	word      string
	operation spec.Operation
	request   Row
	in        Phase
	// quick are the credentials that a quick run sends. Most services compare keys and schemes in one place, so each is
	// sent to one operation; a full run sends all to each.
	quick []exchange.Auth
	// needs are the checks with the key whose responses a cache may keep for requests without one.
	needs []string
	// client has the headers of another client, with which a request without a key is sent too.
	client  string
	headers []string
	// more are other rows, by the requirement that they prove.
	more map[spec.ID][]Row
}{
	{"list", spec.ListPets, list("", ""), Keyless,
		[]exchange.Auth{exchange.EmptyKey, exchange.APIKeyScheme, exchange.NoScheme, exchange.KeyHeader, exchange.TokenScheme}, nil, "a browser", browser,
		map[spec.ID][]Row{"AUTH-3": withAFilter(exchange.TruncatedKey, exchange.ExtendedKey, exchange.SwappedCaseKey)}},
	{"create", spec.CreatePet, pet("", "%n", "%c", spec.Available), Refused,
		[]exchange.Auth{exchange.UndefinedKey, exchange.NoScheme}, nil, "OkHttp", okhttpJSON, nil},
	{"get", spec.GetPet, get("", "{own}"), Keyless,
		[]exchange.Auth{exchange.PrefixedKey, exchange.SpacedKey, exchange.NoScheme, exchange.BasicScheme, exchange.BasicPassword}, fetched, "curl", curl, nil},
	{"orders", spec.StoreOrders, Row{Path: "/store/orders"}, Keyless,
		[]exchange.Auth{exchange.NotASCIIKey, exchange.NoScheme}, nil, "Python", python, nil},
}

var fetched = []string{"get-existing", "get-unknown"}

func refusedCredentials() (all []Check) {
	for _, family := range []struct {
		id, title string
		breaks    spec.ID
	}{
		{"auth-missing-", "401 without a key", "AUTH-2"},
		{"auth-invalid-", "401 for a key that is not valid", "AUTH-3"},
		{"auth-scheme-", "401 for the right key under another scheme, under none, or in another header", "AUTH-4"},
	} {
		for _, o := range guarded {
			c := Check{ID: family.id + o.word, Title: family.title, Operation: o.operation, Proves: family.breaks, In: o.in, Needs: o.needs}
			for _, a := range invalid.Credentials(family.breaks) {
				credential, _ := invalid.CredentialOf(a)
				r := o.request.as(a).breaks(family.breaks, credential.Gets()...)
				r.Step = string(a)
				r.Full = a != exchange.NoKey && !slices.Contains(o.quick, a)
				if a == exchange.KeyHeader { // nothing in Authorization, as without a key
					r = r.unless("auth-missing-" + o.word + "/none")
				}
				c.Rows = append(c.Rows, r)
				if other := r.with(o.headers...); a == exchange.NoKey {
					other.Step = "none, as " + o.client
					other.Full = o.operation != spec.ListPets
					c.Rows = append(c.Rows, other)
				}
			}
			c.Rows = append(c.Rows, o.more[family.breaks]...)
			all = append(all, c)
		}
	}
	return all
}

// withAFilter are listings with a query, side by side, so that each of several replicas answers one.
func withAFilter(credentials ...exchange.Auth) (rows []Row) {
	for _, a := range credentials {
		rows = append(rows, list("with-a-filter, "+string(a), "limit=5&status=available").as(a).breaks("AUTH-3", 401))
	}
	return rows
}

// keyFirst are requests without a key that have another fault, too: 401 all the same, since Authentication, 4 depends on
// the key alone. A router that knows integers only has no operation at /pets/1.5: 404, with a key or without one.
var keyFirst = []Check{
	first("list", spec.ListPets, Keyless,
		keyless("list", list("limit-and-status", "limit=0&status=unheard-of")).apart(
			keyless("list", list("limit", "limit=0")), keyless("list", list("status", "status=unheard-of"))),
		keyless("list", list("no-number", "limit=ten")).full()), // a router that reads numbers may let 0 pass
	first("create", spec.CreatePet, Refused,
		keyless("create", post("not-json", `{"name":`, "")), // a parser that comes before the key gives itself away
		keyless("create", post("media-type", `name=Rex&categoryId=1`, "").with("Content-Type", "application/x-www-form-urlencoded")),
		keyless("create", post("lacks-fields", `{}`, "")).full()),
	first("get", spec.GetPet, Keyless,
		keyless("get", get("no-integer", "1.5"), 404),
		keyless("get", get("unknown-animal", "{beyond}"))), // a cache may keep the 404
}

func first(word string, o spec.Operation, in Phase, rows ...Row) Check {
	return Check{ID: "auth-first-" + word, Title: "The key is checked first", Operation: o, Proves: "AUTH-5", In: in,
		Needs: []string{"auth-missing-" + word}, Rows: rows}
}

// keyless is a row without a key, whose response is a 401 or one of lawful.
func keyless(word string, r Row, lawful ...int) Row {
	return r.as(exchange.NoKey).breaks("AUTH-5", append(lawful, 401)...).unless("auth-missing-" + word + "/none")
}
