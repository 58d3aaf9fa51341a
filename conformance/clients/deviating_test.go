package clients

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"petconform/spec"
)

var (
	key, anotherForm  = ids("CLIENT-1"), ids("CLIENT-2")
	bounds, filter    = ids("CLIENT-8"), ids("CLIENT-9")
	mediaType, newPet = ids("CLIENT-10"), ids("CLIENT-11")
	petID, exact      = ids("CLIENT-12"), ids("CLIENT-13")
	early4            = ids("CLIENT-4")
	address           = ids("CLIENT-15")
)

// three is a store of three animals whose ids come from a freedom.
func three(freedoms ...string) setting { return setting{animals: 3, freedoms: freedoms} }

func asFloat(id int64) string { return fmt.Sprintf("%.0f", float64(id)) }

var deviating = []sender{
	{"no key", free, with("Authorization", ""), key, nil},
	{"an empty key", free, with("Authorization", "Bearer "), key, nil},
	{"the scheme Basic", free, with("Authorization", "Basic cGV0LWtleS1vZi10aGUtZGVzay00NzExOg=="), anotherForm, nil},
	{"the scheme Token", free, with("Authorization", "Token "+deskKey), anotherForm, nil},
	{"no scheme", free, with("Authorization", deskKey), anotherForm, nil},
	{"a colon behind the scheme", free, with("Authorization", "Bearer: "+deskKey), anotherForm, nil},
	{"the key in quotation marks", free, with("Authorization", `Bearer "`+deskKey+`"`), anotherForm, nil},
	{"the key in brackets", free, with("Authorization", "Bearer <"+deskKey+">"), anotherForm, nil},
	{"the words of the documentation", free, with("Authorization", "Bearer <API_KEY>"), anotherForm, nil},
	{"the scheme twice", free, with("Authorization", "Bearer Bearer "+deskKey), anotherForm, nil},
	{"the key and a comma", free, with("Authorization", "Bearer "+deskKey+","), anotherForm, nil},
	{"two credentials", free, with("Authorization", "Bearer "+deskKey+"|Bearer "+deskKey), anotherForm, nil},
	{"the key in X-Api-Key", free, with("Authorization", "", "X-Api-Key", deskKey), anotherForm, nil},
	{"the key in the query", free, func(d *desk) {
		d.program().do("GET", "/pets?api_key="+deskKey, "", "Authorization", "")
	}, anotherForm, nil},
	{"bearer in lower case", free, with("Authorization", "bearer "+deskKey), ids("CLIENT-3"), nil},

	{"three retries at once", free, retries(3, fixed(0)), early4, nil},
	{"half the wait", free, retries(2, part(50)), early4, nil},
	{"Retry-After in milliseconds", free, retries(3, func(a answer) time.Duration { return a.wait() / 1000 }), early4, nil},
	{"exponential backoff without Retry-After", free, func(d *desk) {
		wait := 500 * time.Millisecond
		retries(7, func(answer) time.Duration { wait *= 2; return wait / 2 })(d)
	}, early4, nil},
	{"a date that is not read", dated, retries(2, fixed(time.Second)), early4, nil},
	{"another operation while it waits", free, func(d *desk) {
		p := d.program()
		a := p.spend()
		time.Sleep(5 * time.Second)
		p.do("POST", "/pets", `{"name":"Rex","categoryId":1}`)
		time.Sleep(a.wait())
		p.list()
	}, early4, nil},
	{"one second of two", setting{minute: 2 * time.Second, perMinute: 5}, func(d *desk) {
		time.Sleep(300 * time.Millisecond)
		retries(1, func(a answer) time.Duration { return a.wait() - time.Second })(d)
	}, early4, nil},

	{"a loop of new connections", free, freshRetries(100, fixed(time.Millisecond)), early4, nil},
	{"a short loop of new connections", free, freshRetries(20, fixed(50*time.Millisecond)), early4, nil},
	{"one too early on a new connection", free, freshRetries(1, fixed(10*time.Second)), nil, waiting},
	{"one too early on a new connection, one client", free.of(one), freshRetries(1, fixed(10*time.Second)), early4, nil},
	{"a loop of 25 new connections", fourSeconds, loop(150 * time.Millisecond), nil, waiting},
	{"a loop of 25 new connections, one client", fourSeconds.of(one), loop(150 * time.Millisecond), early4, nil},
	{"one thread waits, the other does not", free.of(one), func(d *desk) {
		p, q := d.program(), d.program()
		q.list()
		p.spend()
		time.Sleep(10 * time.Second)
		q.list()
	}, early4, nil},
	{"a pool that goes on three seconds after the 429", free, pool(3 * time.Second), nil, waiting},
	{"a pool that goes on, one client", free.of(one), pool(3 * time.Second), early4, nil},

	{"limit 0", free, get("/pets?limit=0"), bounds, nil},
	{"limit 101", free, get("/pets?limit=101"), bounds, nil},
	{"limit undefined", free, get("/pets?limit=undefined"), bounds, nil},
	{"an empty limit", free, get("/pets?limit="), bounds, nil},
	{"a limit that the service clamps", setting{freedoms: []string{"limit-clamped"}}, get("/pets?limit=1000"), bounds, nil},
	{"a status in capitals", free, get("/pets?status=Available"), filter, nil},
	{"an empty status", free, get("/pets?status="), filter, nil},
	{"two statuses in one", free, get("/pets?status=available,sold"), filter, nil},

	{"no media type", free, post(`{"name":"Rex","categoryId":1}`, "Content-Type", ""), mediaType, nil},
	{"JSON as text", free, post(`{"name":"Rex","categoryId":1}`, "Content-Type", "text/plain"), mediaType, nil},
	{"a form", free, post(`name=Rex&categoryId=1`, "Content-Type", "application/x-www-form-urlencoded"), ids("CLIENT-10", "CLIENT-11"), nil},
	{"no body", free, post(""), newPet, nil},
	{"no name", free, post(`{"categoryId":1}`), newPet, nil},
	{"a name that is null", free, post(`{"name":null,"categoryId":1}`), newPet, nil},
	{"a category as a string", free, post(`{"name":"Rex","categoryId":"1"}`), newPet, nil},
	{"a category beyond int64", free, post(`{"name":"Rex","categoryId":9223372036854775808}`), newPet, nil},
	{"an empty status of a NewPet", free, post(`{"name":"Rex","categoryId":1,"status":""}`), newPet, nil},
	{"members in another spelling", free, post(`{"Name":"Rex","CategoryID":1}`), newPet, nil},
	{"a list of NewPets", free, post(`[{"name":"Rex","categoryId":1}]`), newPet, nil},

	{"petId undefined", free, get("/pets/undefined"), petID, nil},
	{"petId 7.0", free, get("/pets/7.0"), petID, nil},
	{"an id as a script writes it", three(wide[1]), sendBack(func(int64) string { return "9223372036854776000" }), petID, nil},
	{"an id with an exponent", three(wide[2], "malformed-petid-400"), sendBack(func(id int64) string { return fmt.Sprint(float64(id)) }), petID, nil},
	{"an id through a float64", three(wide[0]), sendBack(asFloat), exact, nil},
	{"one id exactly, and one through a float64", three(wide[2]), both(sendBack(exactly(0)), sendBack(asFloat)), exact, nil},
	{"an id cut to 32 bits", three(wide[2]), sendBack(func(id int64) string { return fmt.Sprint(int32(id)) }), exact, nil},

	{"no v1", free, get("//pets"), address, nil},
	{"v2", free, get("//v2/pets/7"), address, nil},
	{"a base that ends in a slash", free, get("///v1/pets"), address, nil},
	{"a slash too many before the path", free, get("//v1//pets?limit=2"), address, nil},
	{"a slash too many behind the path", free, get("/pets/"), address, nil},
	{"v1 twice", free, get("/v1/store/orders"), address, nil},
}

// exactly writes an id that is so many below another one.
func exactly(below int64) func(int64) string {
	return func(id int64) string { return fmt.Sprint(id - below) }
}

// TestDeviatingClientsAreCaught: what each breaks is named, or unclear for a reason that says how to be judged.
func TestDeviatingClientsAreCaught(t *testing.T) {
	for _, c := range deviating {
		if len(c.breaks)+len(c.unsure) == 0 {
			t.Errorf("%s breaks nothing", c.name)
		}
	}
	eachOf(t, deviating)
}

// TestEachRequirementHasARule: in the order of the ledger, and a client that breaks it.
func TestEachRequirementHasARule(t *testing.T) {
	all := Rules()
	for i, q := range spec.TheLedger().Clients {
		if i >= len(all) || !slices.Equal(all[i].Proves, ids(q.ID)) {
			t.Fatalf("%s has no rule, or not in the order of the ledger", q.ID)
		}
		if !slices.ContainsFunc(deviating, func(c sender) bool { return slices.Contains(c.breaks, q.ID) }) {
			t.Errorf("no client breaks %s", q.ID)
		}
	}
	if len(all) > len(spec.TheLedger().Clients) {
		t.Errorf("%d rules", len(all))
	}
}
