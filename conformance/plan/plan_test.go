package plan

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

var asOf = time.Date(2030, time.January, 2, 0, 0, 0, 0, time.UTC)

// everyRow has the rows of all checks, with their parts, by the name that Unless uses.
func everyRow(t *testing.T) map[string]Row {
	rows := map[string]Row{}
	for _, c := range All() {
		for _, r := range c.Rows {
			for _, r := range append([]Row{r}, r.Apart...) {
				name := c.ID + "/" + r.Step
				if rows[name].Path != "" || r.Step == "" {
					t.Errorf("%s: the step is empty or that of another row", name)
				}
				rows[name] = r
			}
		}
	}
	return rows
}

func TestTheTablesHoldTogether(t *testing.T) {
	rows, ids := everyRow(t), map[string]bool{}
	for name, r := range rows {
		if _, is := rows[r.Unless]; r.Unless != "" && !is {
			t.Errorf("%s: there is no row %s", name, r.Unless)
		}
		if again := Again(Again(r.Step, 1), 12); Asked(again) != r.Step || again != r.Step+", again 12" {
			t.Errorf("%s, sent again, is %q, and was %q", name, again, Asked(again))
		}
	}
	for _, c := range All() {
		if ids[c.ID] {
			t.Errorf("%s is the id of two checks", c.ID)
		}
		ids[c.ID] = true
		for _, need := range c.Needs {
			if _, known := Find(need); !known {
				t.Errorf("%s needs %s, which is not a check", c.ID, need)
			}
		}
	}
}

// ofOthers are found by the rows and the model that prove another requirement: what is listed was created, too.
var ofOthers = []spec.ID{"LIST-6", "CREATE-13", "AUTH-6"}

func TestEachMustHasACheck(t *testing.T) {
	for _, q := range spec.TheLedger().Requirements {
		proves := slices.ContainsFunc(All(), func(c Check) bool { return c.Proves == q.ID })
		also := slices.ContainsFunc(All(), func(c Check) bool { return c.Names(q.ID) })
		if q.Level == spec.Must && q.Proof == spec.ByCheck && (proves == slices.Contains(ofOthers, q.ID) || !also) {
			t.Errorf("%s: a check proves it: %t; one names it: %t", q.ID, proves, also)
		}
	}
}

// A quick run leaves spare rows out where the others have used up its requests.
func TestCount(t *testing.T) {
	firm := 0
	for _, c := range All() {
		for _, r := range c.Rows {
			if !r.Full && !r.Spare {
				firm++
			}
		}
	}
	requests, creates := Count(All(), false)
	if firm > QuickRequests || requests > QuickRequests || creates > 30 {
		t.Errorf("a quick run has %d rows, and counts %d requests and %d creations; want at most %d and 30", firm, requests, creates, QuickRequests)
	}
	if full, _ := Count(All(), true); full <= requests || full > FullRequests {
		t.Errorf("a full run has %d requests, a quick one %d", full, requests)
	}
}

// store counts ids up from one beyond 2^53, keeps what createPet has to keep, and lists all of it.
type store struct {
	State
	pets []string
}

func (s *store) serve(check string, r Row) (known bool) {
	call, known := s.Call(check, r)
	if !known {
		return false
	}
	x := exchange.Exchange{N: len(s.All) + 1, Check: check, Step: r.Step, Operation: spec.OperationOf(call.Method, call.Path), Auth: call.Auth,
		Request: exchange.Request{Method: call.Method, Path: call.Path, Body: call.Body}, Sent: asOf.Add(time.Duration(len(s.All)) * time.Second),
		Response: &exchange.Response{Status: http.StatusNotFound}}
	switch {
	case x.Operation == spec.ListPets:
		x.Response = &exchange.Response{Status: http.StatusOK, Body: exchange.Body("[" + strings.Join(s.pets, ",") + "]")}
	case slices.Contains(r.Want, http.StatusCreated):
		s.pets = append(s.pets, fmt.Sprintf(`{"id":%d,"name":"Rex","categoryId":1,"status":"sold"}`, 1<<60+len(s.pets)))
		x.Response = &exchange.Response{Status: http.StatusCreated, Body: exchange.Body(s.pets[len(s.pets)-1])}
	}
	s.History = history.From(s.Meta, nil, append(s.All, history.ReadExchange(x)))
	return true
}

func newStore(pets ...string) *store {
	return &store{State{History: history.From(exchange.Meta{Run: "r7", AsOf: asOf}, nil, nil), Unlisted: []string{"7"}}, pets}
}

// unfilled is what Call has to replace; ofAnimals is what it does not know in an empty store.
var (
	unfilled  = regexp.MustCompile(`%[nrRc]|\{[a-z-]+/[^}]*\}|\{(unseen|next|early|own|listed|digits|beyond|neighbour|negative|chosen)\}`)
	ofAnimals = regexp.MustCompile(`\{(next|early|listed|digits|neighbour|create-[^}]*)\}`)
)

// In a store with animals, a full run sends every row with every value filled in, phase by phase. In an empty store, no
// animal is made up.
func TestEveryRowIsSent(t *testing.T) {
	s, sent := newStore(`{"id":1152921504606846976,"name":"Rex","categoryId":5,"status":"sold"}`), map[string]bool{}
	for p := Found; p <= Ending; p++ {
		for _, q := range s.Requests(All(), p, true) {
			if !s.serve(q.Check, q.Row) {
				t.Errorf("%s/%s: %s %s has a value that the run does not know", q.Check, q.Step, q.Path, q.Body)
			}
			sent[q.Check+"/"+q.Step] = true
		}
	}
	parts := map[string]bool{}
	for _, c := range All() {
		for _, r := range c.Rows {
			for _, part := range r.Apart {
				parts[c.ID+"/"+part.Step] = true
			}
		}
	}
	for name, r := range everyRow(t) {
		check, _, _ := strings.Cut(name, "/")
		call, known := s.Call(check, r)
		if left := unfilled.FindString(call.Path + string(call.Body)); !known || left != "" {
			t.Errorf("%s: %s %s is known: %t, and leaves %q", name, call.Path, call.Body, known, left)
		}
		if _, known := newStore().Call(check, r); known == ofAnimals.MatchString(r.Path+r.Body) {
			t.Errorf("%s: %s %s is known in an empty store: %t", name, r.Path, r.Body, known)
		}
		c, _ := Find(check)
		if q, known := spec.TheLedger().Find(c.Proves); (!known || q.Applies(s.Meta.AsOf)) && !sent[name] && !parts[name] {
			t.Errorf("%s is never sent", name)
		}
	}
	if looks, fills := len(s.Of("create-refused-leaves-nothing")), len(fill.More(&newStore().State)); looks != 1 || fills != 21 {
		t.Errorf("want getPet of the 1 id that is unlisted, and 21 creations in an empty store; got %d and %d", looks, fills)
	}
	for word := range values {
		if !unfilled.MatchString("{" + word + "}") {
			t.Errorf("this test does not know the word %s", word)
		}
	}
}

func TestNext(t *testing.T) {
	for ids, want := range map[[3]int64]string{{5, 6, 7}: "13", {-1, -2, -3}: "-9", {6, 4, 5}: "12", {10, 30, 20}: "90", {7, 7, 7}: "", {5, 6, 9}: ""} {
		s := newStore()
		for i, step := range []string{"sold", "pending", "available"} {
			s.All = append(s.All, history.ReadExchange(exchange.Exchange{N: i + 1, Check: "create-statuses", Step: step, Operation: spec.CreatePet,
				Response: &exchange.Response{Status: http.StatusCreated, Body: exchange.Body(fmt.Sprintf(`{"id":%d,"name":"Rex"}`, ids[i]))}}))
		}
		s.History = history.From(s.Meta, nil, s.All)
		if got, _ := s.value("next"); got != want {
			t.Errorf("after the ids %v, an animal to come has %q; want %q", ids, got, want)
		}
	}
}

func TestTolerances(t *testing.T) {
	s := newStore()
	plain, _ := RowOf("create-statuses", "sold")
	empty := s.History
	s.serve("create-statuses", plain)
	full := s.History
	odd, _ := RowOf("create-category", "zero")
	long, _ := RowOf("create-names", "scripts-and-marks")
	refused, _ := Find("create-name-missing")
	chunked := plain
	chunked.Header = http.Header{"Transfer-Encoding": {"chunked"}}
	given := history.From(exchange.Meta{CategoryID: 3}, nil, nil)
	met := map[string]bool{}
	for name, row := range map[string]struct {
		*history.History
		Row
		status  int
		reason  string
		decides bool
	}{
		"nothing was created, and the category may not exist": {empty, plain, 422, "name one that exists with --category-id", false},
		"nothing was created in a category that exists":       {given, plain, 422, "", false},
		"a value that need not be accepted":                   {full, odd, 400, "as such a value may be", true},
		"a name longer than every accepted one":               {full, long, 400, "longer or shorter", true},
		"a name as long as the accepted ones":                 {full, plain, 400, "", false},
		"a store that is full":                                {full, plain, 507, "quota", false},
		"a conflict, where no later one succeeds":             {full, plain, 409, "quota", false},
		"chunks, to a server of HTTP/1.0":                     {full, chunked, 400, "reads no chunks", true},
		"what has to be refused, and is refused with a 413":   {full, refused.Rows[0], 413, "", false},
		"what has to be accepted, and is accepted":            {full, odd, 201, "", false},
	} {
		x := exchange.Exchange{N: 99, Operation: spec.CreatePet, Auth: exchange.Key, Sent: asOf.Add(time.Hour), Response: &exchange.Response{
			Proto: "HTTP/1.0", Status: row.status, Header: http.Header{"Content-Type": {"application/json"}}, Body: exchange.Body(`{}`)}}
		call, _ := (&State{History: row.History}).Call("create-names", row.Row)
		x.Request = exchange.Request{Method: call.Method, Path: call.Path, Body: call.Body, Header: row.Header}
		got := Tolerated(row.History, row.Row, history.ReadExchange(x))
		if got.Decides != row.decides || !strings.Contains(got.Reason, row.reason) || (got.Reason == "") != (row.reason == "") {
			t.Errorf("%s: want %q (%t), got %+v", name, row.reason, row.decides, got)
		}
		met[row.reason] = true
		for _, never := range []int{401, 403, 429, 500, 503} {
			x.Response.Status = never
			if got := Tolerated(row.History, row.Row, history.ReadExchange(x)); got.Reason != "" {
				t.Errorf("%s: %d is tolerated: %+v", name, never, got)
			}
		}
	}
	if len(met)-1 != len(tolerances) {
		t.Errorf("%d of %d tolerances have a row", len(met)-1, len(tolerances))
	}
}
