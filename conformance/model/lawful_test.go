package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/conformance/model"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

const histories = 10_000

// animal is in a store from one time of a run to another.
type animal struct {
	id, name    string
	status      spec.PetStatus
	from, until time.Duration
}

func (a *animal) json() string {
	return fmt.Sprintf(`{"id":%s,"name":%q,"categoryId":1,"status":%q}`, a.id, a.name, a.status)
}

// lawful is a store whose replicas lag for less than the patience. Other clients create animals and delete their own.
// Those with a name that a refused request of the run could have left were there before the run, and stay.
type lawful struct {
	*rand.Rand
	lags    []time.Duration
	animals []*animal
	sent    []exchange.Exchange
	created []*animal // by the request with the same index
	// victim is hidden from such reads when it is old.
	victim *animal
	old    time.Time
	// last are the requests from which on no page is cut.
	last   int
	hidden func(path string) bool
}

// below is a random time.
func (w *lawful) below(d time.Duration) time.Duration { return time.Duration(w.Int64N(int64(d))) }

func (w *lawful) status() spec.PetStatus { return spec.Statuses()[w.IntN(3)] }

// run is a random run on a random store. The first animal that it creates is missing from the reads that are hidden, as
// soon as no lag explains it. Each kind of read is sent once more then.
func run(seed uint64, hidden func(path string) bool) *history.History {
	w := &lawful{Rand: rand.New(rand.NewPCG(seed, 1)), hidden: hidden}
	for range 1 + w.IntN(4) {
		w.lags = append(w.lags, []time.Duration{0, w.below(patience), patience - 1}[w.IntN(3)])
	}
	for range w.IntN(7) {
		w.another(-9*patience, []string{"Rex", "Bello", "", "42", "null"}[w.IntN(5)])
	}
	at := w.below(patience)
	for i := range 6 + w.IntN(16) {
		at += w.below(patience / 2)
		if w.IntN(12) == 0 && len(w.animals) < 16 {
			w.another(at, "Bello")
		}
		if i == 1 || w.IntN(3) == 0 && len(w.animals) < 18 {
			w.create(at, i == 1)
			continue
		}
		limit, status := fmt.Sprint("limit=", 1+w.IntN(25)), "status="+string(w.status())
		queries := []string{"/any", "/any", "", "?" + limit, "?" + status, "?" + status + "&" + limit}
		w.send(at, http.MethodGet, "/pets"+queries[w.IntN(len(queries))])
	}
	first := slices.IndexFunc(w.created, func(a *animal) bool { return a != nil })
	w.victim, w.old = w.created[first], w.sent[first].Ended().Add(patience)
	at, w.last = max(at, w.old.Sub(start)), len(w.sent)+1
	status := "status=" + string(w.victim.status)
	paths := []string{"/pets/victim", "/pets", "/pets?limit=100", "/pets?" + status, "/pets?limit=99&" + status}
	for _, i := range w.Perm(len(paths)) {
		w.send(at, http.MethodGet, paths[i])
		at += w.below(patience / 4)
	}
	slices.SortStableFunc(w.animals, func(a, b *animal) int { return int(a.from - b.from) })
	step, kind := 1+w.Int64N(3), w.IntN(3)
	for i, a := range w.animals { // ids count up, down, or are random
		a.id = fmt.Sprint([]int64{1000 + step*int64(i), 1000 - step*int64(i), w.Int64N(1 << 60)}[kind])
	}
	rec := &exchange.Recording{Meta: exchange.Meta{Patience: patience}}
	for i, x := range w.sent {
		x.N = i + 1
		if a := w.created[i]; a != nil {
			x.Response.Body = exchange.Body(a.json())
		} else if x.Operation != spec.CreatePet {
			w.answer(&x)
		}
		rec.Exchanges = append(rec.Exchanges, x)
	}
	return history.Of(rec)
}

// another is an animal of another client. Only ordinary ones are deleted.
func (w *lawful) another(from time.Duration, name string) {
	a := &animal{name: name, status: w.status(), from: from, until: math.MaxInt64}
	if len(name) > 2 && w.IntN(2) == 0 {
		a.until = max(from, 0) + w.below(6*patience)
	}
	w.animals = append(w.animals, a)
}

// create is a createPet of the run. Without a response, it may have created an animal.
func (w *lawful) create(at time.Duration, surely bool) {
	a := &animal{id: "0", name: fmt.Sprintf("petconform-r-%d", len(w.sent)), status: w.status(), until: math.MaxInt64}
	x := w.send(at, http.MethodPost, "/pets")
	x.Request.Body, a.from = exchange.Body(a.json()), at+w.below(x.Done)
	switch kind := w.IntN(10); {
	case kind > 3 || surely:
		x.Response, w.created[len(w.created)-1] = &exchange.Response{Status: http.StatusCreated}, a
	case kind > 1:
		x.Failure = &exchange.Failure{Kind: exchange.Timeout}
		a.until *= time.Duration(kind - 2) // it has created nothing, or an animal that stays
	case kind > 0:
		x.Auth, x.Response, a.until = exchange.NoKey, &exchange.Response{Status: http.StatusUnauthorized}, 0
	default:
		x.Request.Body, x.Response, a.until = exchange.Body(`{"categoryId":1}`), &exchange.Response{Status: http.StatusBadRequest}, 0
	}
	w.animals = append(w.animals, a)
}

func (w *lawful) send(at time.Duration, method, path string) *exchange.Exchange {
	w.sent = append(w.sent, exchange.Exchange{Check: "check", Step: fmt.Sprint(len(w.sent)), Auth: exchange.Key, Operation: spec.OperationOf(method, path),
		Request: exchange.Request{Method: method, Path: path}, Sent: start.Add(at), Done: 1 + w.below(patience/3)})
	w.created = append(w.created, nil)
	return &w.sent[len(w.sent)-1]
}

// answer is what one of the replicas answers at some time of the exchange. It shows the store as it was before its lag.
func (w *lawful) answer(x *exchange.Exchange) {
	any := w.animals[w.IntN(len(w.animals))].id
	x.Request.Path = strings.NewReplacer("any", any, "victim", w.victim.id).Replace(x.Request.Path)
	x.Operation = spec.OperationOf(x.Request.Method, x.Request.Path)
	now := x.Sent.Sub(start) + w.below(x.Done) - w.lags[w.IntN(len(w.lags))]
	r := history.ReadExchange(*x)
	limit, status, _ := r.Listing()
	var shown []string
	for _, i := range w.Perm(len(w.animals)) {
		a := w.animals[i]
		hidden := a == w.victim && !x.Sent.Before(w.old) && w.hidden(x.Request.Path)
		asked := a.id == r.PetID() || x.Operation == spec.ListPets && (status == "" || status == a.status)
		if a.from <= now && now < a.until && asked && !hidden {
			shown = append(shown, a.json())
		}
	}
	x.Response = &exchange.Response{Status: http.StatusOK}
	if x.Operation == spec.GetPet {
		if x.Response.Body = exchange.Body(strings.Join(shown, "")); len(shown) == 0 {
			x.Response.Status = http.StatusNotFound
		}
		return
	}
	most := min(limit, len(shown))
	if x.N < w.last && most > 0 && w.IntN(8) == 0 { // a page that is shorter than its limit, with the address of the next one
		most = w.IntN(most)
		x.Response.Header = http.Header{"Link": {`</v1/pets?page=2>; rel="next"`}}
	}
	x.Response.Body = exchange.Body("[" + strings.Join(shown[:most], ",") + "]")
}

// text is a short text of a history, for one that fails.
func text(h *history.History) string {
	var b strings.Builder
	for _, x := range h.All {
		from, to := x.Sent.Sub(start).Seconds(), x.Ended().Sub(start).Seconds()
		fmt.Fprintf(&b, "\n%d %.2f-%.2fs %s %s %s: %d, next page %t:", x.N, from, to, x.Request.Method, x.Request.Path, x.Request.Body, x.Status(), x.Continues())
		for _, p := range x.Shown() {
			fmt.Fprintf(&b, " %s %q", p.ID, p.Name())
		}
	}
	return b.String()
}

// each runs a test over random histories, until one fails.
func each(t *testing.T, hidden func(seed uint64) func(string) bool, test func(t *testing.T, seed uint64, h *history.History)) {
	for seed := range uint64(histories) {
		h := run(seed, hidden(seed))
		if test(t, seed, h); t.Failed() {
			t.Fatalf("seed %d: %s", seed, text(h))
		}
	}
}

// No lag, deletion, page or odd animal of another client makes the model find something.
func TestALawfulStoreIsNotAccused(t *testing.T) {
	owing, lacking := 0, 0
	nothing := func(uint64) func(string) bool { return func(string) bool { return false } }
	each(t, nothing, func(t *testing.T, _ uint64, h *history.History) {
		s := model.Of(h)
		for _, x := range h.All {
			owing += len(s.Owes(x))
			for _, l := range s.Lacks(x) {
				if lacking++; s.Old(l) {
					t.Errorf("exchange %d lacks animal %s, at the age of %v", x.N, l.ID, l.Age())
				}
			}
		}
		for _, f := range append(s.Missing(), s.LeftBehind()...) {
			t.Errorf("%s in exchange %d: want %s, got %s", f.Requirement, f.Exchange, f.Expected, f.Actual)
		}
	})
	if owing < 10*histories || lacking < histories/2 {
		t.Errorf("reads owe %d animals, and lack %d due to a lag: too few to prove anything", owing, lacking)
	}
}

// hiding are the ways to hide an animal, each with the requirement that it breaks.
var hiding = []struct {
	from   string
	breaks spec.ID
	hidden func(path string) bool
}{
	{"getPet", "GET-1", func(path string) bool { return !isListing(path) }},
	{"filtered listings", "LIST-8", func(path string) bool { return strings.Contains(path, "status=") }},
	{"listings without a limit", "LIST-5", func(path string) bool { return isListing(path) && !strings.Contains(path, "limit=") }},
	{"all listings", "LIST-11", isListing},
	{"all reads", "CREATE-13", func(string) bool { return true }},
}

func isListing(path string) bool { return !strings.HasPrefix(path, "/pets/") }

// Wherever an old animal is hidden, the model names the requirement, and nothing but what follows from that.
func TestAHiddenAnimalIsMissing(t *testing.T) {
	way := func(seed uint64) int { return int(seed % uint64(len(hiding))) }
	each(t, func(seed uint64) func(string) bool { return hiding[way(seed)].hidden }, func(t *testing.T, seed uint64, h *history.History) {
		from, named := hiding[way(seed)], false
		for _, f := range model.Of(h).Missing() {
			q, _ := spec.TheLedger().Find(f.Requirement)
			if named = named || f.Requirement == from.breaks; f.Requirement != from.breaks && !slices.Contains(q.Follows, from.breaks) {
				t.Errorf("hidden from %s: %s in exchange %d: want %s, got %s", from.from, f.Requirement, f.Exchange, f.Expected, f.Actual)
			}
		}
		if !named {
			t.Errorf("hidden from %s: %s is not named", from.from, from.breaks)
		}
	})
}
