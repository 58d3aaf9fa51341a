package plan

import (
	"fmt"
	"net/http"
	"strings"

	"petconform/spec"
)

// listChecks are the checks of listPets. What a listing has to show is the model's; see package model.
var listChecks = []Check{
	// The first requests of a run: the store as it is found, and a filter that finds nothing, if there is one.
	{ID: "list-all", Title: "listPets without parameters", Operation: spec.ListPets, Proves: "LIST-1", Also: ids("LIST-6"), In: Found,
		Rows: []Row{
			list("no-parameters", ""),
			list("a-status", "status={unseen}"),
		}},
	// Limits: 1 to 100.
	{ID: "list-limit-bounds", Title: "limit=1 and limit=100 are accepted", Operation: spec.ListPets, Proves: "LIST-3", In: Reads,
		Needs: []string{"create-statuses"}, Rows: []Row{
			list("limit=1", "limit=1").in(Keyless), // later: a cache that ignores the limit has a longer listing by now
			list("limit=100", "limit=100"),
		}},
	// No limit means 20 (listPets, query parameters).
	{ID: "list-limit-default", Title: "No limit means 20", Operation: spec.ListPets, Proves: "LIST-5", Also: ids("LIST-1", "LIST-3"), In: Reads,
		Needs: []string{"create-fill"}, Rows: []Row{
			list("no-limit", ""),
			list("limit=20", "limit=20"),
		}},
	{ID: "list-limit-between", Title: "A limit between 1 and 100", Operation: spec.ListPets, Proves: "LIST-3", In: Reads,
		Needs: []string{"create-fill"}, Rows: append([]Row{
			// What the client has kept has a tag that the service never gave.
			list("limit=99", "limit=99").with(curl...).with("If-None-Match", `"petconform"`),
		}, limits(9, 50, 25, 75, 49, 51, 98)...)},
	filter(spec.Available),
	filter(spec.Pending),
	filter(spec.Sold),
	// While animals are created, a listing is answered as ever.
	{ID: "list-while-creating", Title: "listPets while animals are created", Operation: spec.ListPets, Proves: "LIST-1", Also: ids("LIST-3", "LIST-6"),
		In: Valid, Needs: []string{"create-parallel"}, Rows: []Row{
			list("limit=100", "limit=100"),
			list("limit=50", "limit=50").full(),
			list("a-status", "status=sold").full(),
			list("no-limit", "").full(),
		}},
	// The whole store, when everything is created.
	{ID: "list-created", Title: "What was created is listed", Operation: spec.ListPets, Proves: "LIST-11",
		Also: ids("CREATE-13", "LIST-3"), In: Created, Needs: []string{"create-statuses"}, Rows: []Row{
			list("all", "limit=100").with(browser...),
		}},
	// A cache may answer now, also with what it keeps of requests without a key.
	{ID: "list-again", Title: "The same listing once more", Operation: spec.ListPets, Proves: "LIST-1", In: Created,
		Needs: []string{"list-limit-default"}, Rows: []Row{
			list("again", ""),
		}},
	// Full: many listings at once, as of several replicas.
	{ID: "list-at-once", Title: "Many listings at once", Operation: spec.ListPets, Proves: "LIST-11", Also: ids("LIST-1", "LIST-3"), In: Created,
		Needs: []string{"create-statuses"}, Rows: times(7, list("limit=100", "limit=100").full(), list("no-limit", "").full())},
	// The response to these is not shown (Errors).
	{ID: "list-open-limit", Title: "A limit that is out of range or not an integer", Operation: spec.ListPets, Proves: "LIST-13", In: Opening,
		Rows: []Row{
			openList("LIST-13", "limit=0"),
			openList("LIST-13", "limit=101"),
			openList("LIST-13", "limit=abc"),
			openList("LIST-13", "limit=1&limit=2"),
			openList("LIST-13", "limit="+strings.Repeat("9", longQuery)).full(),
		}},
	{ID: "list-open-status", Title: "A status outside the enumeration", Operation: spec.ListPets, Proves: "LIST-14", In: Opening,
		Rows: []Row{openList("LIST-14", "status=verf%C3%BCgbar")}}, // an error message may quote it
}

func ids(all ...spec.ID) []spec.ID { return all }

// fill creates what the store lacks of 21 animals, so that a listing without a limit has more to show than its 20. Their
// names are no longer than those of create-statuses.
var fill = Check{ID: "create-fill", Title: "createPet until the store has 21 animals", Operation: spec.CreatePet, Proves: "CREATE-1", In: Filling,
	Needs: []string{"create-statuses", "create-parallel"}, Idle: "the store has 21 animals without it", Like: pet("", "%n", "%c", spec.Available),
	More: func(s *State) (rows []Row) {
		for i := range max(0, spec.DefaultLimit+1-s.Known()) {
			rows = append(rows, pet(fmt.Sprint("animal-", i+1), fmt.Sprintf(`"petconform-%%r-%d"`, i+1), "%c", spec.Available))
		}
		return rows
	}}

// Known is how many animals the run has seen.
func (s *State) Known() int {
	ids := map[string]bool{}
	for _, x := range s.All {
		for _, p := range x.Shown() {
			ids[p.ID] = true
		}
	}
	return len(ids)
}

// filter lists the animals with a status, alone and with a limit. With limit=1, a service that applies the filter after
// the limit lists nothing although an animal has the status. Some clients escape letters of a query, or write the
// status before the limit.
func filter(s spec.PetStatus) Check {
	one := list("limit=1", fmt.Sprintf("status=%%%02x%s&limit=1", s[0], s[1:]))
	if s != spec.Pending {
		one = one.full()
	}
	return Check{ID: "list-status-" + string(s), Title: "The status filter " + string(s), Operation: spec.ListPets, Proves: "LIST-8",
		Also: ids("LIST-6"), In: Reads, Needs: []string{"create-statuses"}, Rows: []Row{
			list("alone", "status="+string(s)),
			one,
			list("limit=100", "status="+string(s)+"&limit=100").full(),
		}}
}

// limits are listings with other limits, which a full run sends.
func limits(all ...int) []Row {
	rows := make([]Row, len(all))
	for i, n := range all {
		query := fmt.Sprintf("limit=%d", n)
		rows[i] = list(query, query).full()
	}
	return rows
}

// times repeats rows, each with a number.
func times(n int, rows ...Row) (out []Row) {
	for i := range n {
		for _, r := range rows {
			r.Step = fmt.Sprintf("%s, %d", r.Step, i+1)
			out = append(out, r)
		}
	}
	return out
}

// longQuery is how many digits make a query longer than many servers read.
const longQuery = 9 << 10

// openList is a listing whose answer is not shown.
func openList(id spec.ID, query string) Row {
	step := query[:min(len(query), 20)]
	return list(step, query).open(id, step).spare()
}

// Headers of other clients than petconform, as these send them.
var (
	curl = []string{"User-Agent", "curl/8.5.0", "Accept", "*/*", "Accept-Encoding", ""}
	// A browser asks for HTML first.
	browser = []string{"User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
		"Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "Accept-Language", "de-DE,de;q=0.8,en;q=0.5"}
	// OkHttp says nothing of what it accepts, and declares the charset of what it sends.
	okhttp     = []string{"User-Agent", "okhttp/4.12.0", "Accept", ""}
	okhttpJSON = append(okhttp, "Content-Type", "application/json; charset=utf-8")
	python     = []string{"User-Agent", "python-requests/2.32.3", "Accept", "*/*", "Connection", "close"}
	// What Rust's clients write in HTTP/1.1, and Envoy in front of a service, has the names of headers in lower case.
	rust     = []string{"user-agent", "reqwest/0.12.9", "accept", "*/*", "accept-encoding", "gzip"}
	rustJSON = append(rust, "content-type", "application/json")
)

// otherChecks are of paths that are no operation, or whose response is open.
var otherChecks = []Check{
	{ID: "orders", Title: "GET /store/orders with a valid key", Operation: spec.StoreOrders, Proves: "ORDERS-1", In: Opening, Rows: []Row{
		Row{Step: "key", Path: "/store/orders"}.asks("ORDERS-1", "status").spare(),
	}},
	// For the rules error-elsewhere and rate-headers-elsewhere. Other methods are not tried: nothing says what they
	// would do.
	{ID: "elsewhere", Title: "A path that the interface does not name", Operation: spec.Elsewhere, In: Opening, Rows: []Row{
		Row{Step: "path", Path: "/petconform-no-such-path"}.spare(),
	}},
	// Sent after rules.Delay, if X-RateLimit-Remaining did not go down: a counter that is published every few seconds has
	// by then. The rule remaining-falls compares.
	{ID: "remaining-later", Title: "X-RateLimit-Remaining, asked again later", Operation: spec.ListPets, In: Ending,
		Idle: "X-RateLimit-Remaining did not stand still below X-RateLimit-Limit", More: stoodStill, Like: list("", "limit=1").breaks("", http.StatusOK)},
}
