package explore_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petconform/conformance/explore"
	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
	"petconform/spec/reference/inprocess"
	"petconform/spec/verdict"
)

var key = exchange.NewSecret("pet-Explored0123456789abc")

type service struct {
	reference.Config
	seed    uint64
	creates int
	explore int // requests; 0 explores what the checks of a full run leave
	asOf    time.Time
	only    []string
}

// explored makes a full run with an exploration, in the time of a bubble.
func explored(t *testing.T, s service) (r verdict.Results, rec *exchange.Recording) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s.Keys = []reference.Key{{Name: "explored", Secret: key, Plan: spec.Plan{Name: spec.Business.Name, PerMinute: 900_000, PerDay: 9_000_000}}}
		target, err := reference.New(s.Config)
		if err != nil {
			t.Fatal(err)
		}
		if s.asOf.IsZero() {
			s.asOf = time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)
		}
		rec, err = run.Send(context.Background(), run.Config{Base: &url.URL{Scheme: "http", Host: "pets.example", Path: "/v1"}, Key: key,
			MaxCreates: s.creates, Concurrency: 16, Explore: s.explore, Transport: inprocess.Transport{Handler: target, Latency: time.Millisecond},
			Meta: exchange.Meta{CategoryID: 1, ReadOnly: s.creates == 0, AsOf: s.asOf, Seed: s.seed, Run: "t1", Deep: s.explore == 0,
				Patience: 3 * time.Second, Tool: "petconform"}}, s.only...)
		if rec == nil {
			t.Fatal(err)
		}
		r = judge.Recording(rec)
	})
	return r, rec
}

// A lawful service is never accused, whatever the seed and the store.
func TestALawfulServiceIsNeverAccused(t *testing.T) {
	for seed := range uint64(long.Times(t, 8, 50)) {
		s := service{Config: reference.Config{Seed: []int{0, 21, 150}[seed%3]}, seed: seed, creates: 100, explore: 200, only: []string{judge.ExploreID}}
		if all := freedoms.All(); seed%4 == 3 {
			s.Freedoms = []string{all[int(seed)*len(all)/50].Name}
		}
		t.Run(fmt.Sprint(seed, s.Freedoms), func(t *testing.T) {
			r, rec := explored(t, s)
			if r.Part == nil || !r.Part.Holds {
				t.Errorf("%s, %v", r.Verdict, r.Reasons)
			}
			if cards := told(explore.Cards(history.Of(rec))); cards != "" {
				t.Error(cards)
			}
		})
	}
}

// planted are deviations that the checks do not meet, with the largest number of requests of the shrunk sequence, and with
// how many animals there may be: most are shown by a value, so that many are created, and the last by listings with room.
var planted = map[string]struct{ requests, creates int }{
	"deep-same-body-same-animal": {2, 400},
	"deep-limit-64-refused":      {1, 400},
	"deep-category-2-to-31":      {1, 400},
	"deep-name-of-32":            {1, 400},
	"deep-filter-sticks":         {3, 30},
}

// What is planted is named, and nothing else; its card has a short sequence, which fails when it is sent again.
func TestPlanted(t *testing.T) {
	for _, d := range long.Rows(t, deviations.All(), long.Broken) {
		most, is := planted[d.Name]
		if !is {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			s := service{Config: reference.Config{Deviations: []string{d.Name}}, seed: run.DefaultSeed, creates: most.creates, explore: 600, only: []string{judge.ExploreID}}
			r, rec := explored(t, s)
			for _, id := range r.Failed(spec.Must) {
				if !slices.Contains(d.Breaks, id) && !slices.Contains(d.May, id) {
					t.Errorf("it breaks %v (and may break %v), and %s is named", d.Breaks, d.May, id)
				}
			}
			cards := explore.Cards(history.Of(rec))
			if !slices.ContainsFunc(cards, func(c explore.Card) bool { return len(c.Exchanges) <= most.requests && c.Shows(d.Breaks) }) {
				t.Fatalf("want a card of at most %d requests that breaks %v, got %s", most.requests, d.Breaks, told(cards))
			}
		})
	}
}

// told says what cards show.
func told(cards []explore.Card) (text string) {
	for _, c := range cards {
		text += fmt.Sprintf("sequence %s of seed %d: %v\n", c.Sequence, c.Seed, c.Findings)
		for _, x := range c.Exchanges {
			text += fmt.Sprintf("  %d  %s %s %s -> %d %s\n", x.N, x.Request.Method, x.Request.Path, x.Request.Body, x.Status(), x.Excerpt())
		}
	}
	return text
}

// The budgets of requests and animals hold, while failures are shrunk and where bodies are wrongly accepted.
func TestBudgets(t *testing.T) {
	for _, s := range []service{
		{explore: 7, creates: 10}, {explore: 200, creates: 3}, {explore: 200, creates: 20},
		{explore: 200, creates: 12, Config: reference.Config{Deviations: []string{"create-namesakes-refused", "deep-same-body-same-animal"}}},
	} {
		s.seed, s.only = 3, []string{judge.ExploreID}
		r, rec := explored(t, s)
		if n := len(history.Of(rec).Of(judge.ExploreID)); n > s.explore+120 || len(r.Created) > s.creates {
			t.Errorf("%d requests were sent and %d animals created, at most %d and %d are allowed", n, len(r.Created), s.explore, s.creates)
		}
	}
}

// Without creations nothing is posted, and getPet is not called after its removal.
func TestWhatIsLeftAlone(t *testing.T) {
	only := []string{judge.ExploreID}
	_, rec := explored(t, service{Config: reference.Config{Seed: 30}, explore: 100, only: only})
	_, after := explored(t, service{explore: 100, creates: 20, asOf: spec.Removal.AddDate(0, 0, 1), only: only})
	if len(rec.Exchanges) < 100 || len(after.Exchanges) < 100 {
		t.Errorf("%d and %d requests were sent; 100 and more are wanted", len(rec.Exchanges), len(after.Exchanges))
	}
	for _, x := range rec.Exchanges {
		if x.Request.Method != http.MethodGet && x.Auth.Valid() {
			t.Errorf("exchange %d is %s %s, though nothing may be created", x.N, x.Request.Method, x.Request.Path)
		}
	}
	for _, x := range after.Exchanges {
		if _, step, _ := strings.Cut(x.Step, " "); x.Operation == spec.GetPet && strings.HasPrefix(step, "drawn/") {
			t.Errorf("exchange %d is %s, though getPet is removed", x.N, x.Request.Path)
		}
	}
}

// The same seed sends the same, and another seed something else. Read again, a recording gives the same cards.
func TestTheSameAgain(t *testing.T) {
	sent := func(seed uint64) (all string, rec *exchange.Recording) {
		_, rec = explored(t, service{Config: reference.Config{Deviations: []string{"deep-same-body-same-animal"}}, seed: seed, creates: 100, explore: 300, only: []string{judge.ExploreID}})
		var first []string
		for _, x := range rec.Exchanges {
			if label, _, _ := strings.Cut(x.Step, "/"); len(label) == 1 && label < "9" { // the first batch, which is sent in turn
				first = append(first, x.Step+" "+x.Request.Path)
			}
		}
		slices.Sort(first) // those that are sent at once come in any order
		return strings.Join(first, "\n"), rec
	}
	one, rec := sent(11)
	if again, _ := sent(11); again != one {
		t.Errorf("with one seed the first sequences are\n%s\nand\n%s", one, again)
	}
	if other, _ := sent(12); other == one {
		t.Error("another seed sends the same")
	}
	var file bytes.Buffer
	w, err := exchange.NewWriter(&file, rec.Meta)
	for _, x := range rec.Exchanges {
		err = w.Write(x)
	}
	if err != nil {
		t.Fatal(err)
	}
	read, err := exchange.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	got, want := told(explore.Cards(history.Of(read))), told(explore.Cards(history.Of(rec)))
	if want == "" || got != want {
		t.Errorf("read again, the recording has the cards\n%v, not\n%v", got, want)
	}
}
