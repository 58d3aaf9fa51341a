// Package altered proves the judge from its other side. It takes recordings of a service that keeps the interface, alters one
// thing in each of thousands of copies (drops, renames, retypes, shifts, swaps), and has each copy judged. An alteration is
// either caught, and then by few requirements, or lawful, and then a rule with a name says why; anything else was missed.
package altered

import (
	"flag"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/long"
	"petconform/spec/verdict"
)

var every = flag.Int("every", 0, "judge every nth alteration; 0 chooses n by aboutSoMany")

// aboutSoMany alterations are judged, or aboutSoManyLong.
const aboutSoMany, aboutSoManyLong = 500, 5_000

// atMost is how many requirements the alteration of one thing may name: what became of an animal's creation is seen by
// whoever looks for the animal afterwards.
const atMost = 6

// freedoms are lawful variants whose recordings differ from the plain one's in what an alteration meets: other statuses,
// headers, ids, orders, bodies, animals that were there before.
var freedoms = []string{"", "categories-checked-422", "unknown-members-refused", "null-status-accepted", "compressed", "retry-after-date",
	"malformed-petid-400", "orders-404", "removal-not-announced", "ids-beyond-2-53", "newest-first", "animals-without-status",
	"pretty-printed", "pet-with-more-members", "date-absent"}

// record runs the standard checks against the reference service, with a freedom if it is not "".
func record(t *testing.T, freedom string) *exchange.Recording {
	s := proof.Service{Plan: spec.Plan{Name: spec.Enterprise.Name, PerMinute: 90_000, PerDay: 1_000_000}, Latency: time.Microsecond, Concurrency: 1,
		Patience: 1} // so that no replica may lag
	if freedom != "" {
		s.Freedoms = []string{freedom}
	}
	var rec *exchange.Recording
	synctest.Test(t, func(t *testing.T) { // where the clock is the same in each run
		r, made, err := proof.Against(t.Context(), s)
		if rec = made; err != nil || r.Verdict != verdict.Conforms {
			t.Fatalf("a recording that conforms is wanted to begin with; with %q it %s: %v, %v", freedom, r.Verdict, r.Reasons, err)
		}
	})
	return rec
}

// TestAlterations holds when each alteration is caught or explained, and none that is lawful is held against the service.
func TestAlterations(t *testing.T) {
	var recs []*exchange.Recording
	count, n := 0, *every
	for _, name := range freedoms {
		recs = append(recs, record(t, name))
		for range All(recs[len(recs)-1]) {
			count++
		}
	}
	if n == 0 {
		n = max(1, count/long.Times(t, aboutSoMany, aboutSoManyLong))
	}
	var mu sync.Mutex
	classes, sorts, widths, widest := map[Class]int{}, map[string]int{}, []int{}, Case{}
	judged := func(c Case) {
		mu.Lock()
		defer mu.Unlock()
		switch classes[c.Class]++; c.Class {
		case Missed, Accused:
			sort := fmt.Sprint(c.Class, c.What, c.Of, c.Was.Operation, c.Was.Status())
			if sorts[sort]++; sorts[sort] < 3 {
				t.Errorf("%s: %s (%s of %s, %d): it breaks %v", c.Class, c, c.Was.Step, c.Was.Check, c.Was.Status(), c.Requirements)
			}
		case Caught: // precision is asked of the alteration of one thing
			if widths = append(widths, len(c.Requirements)); !c.swaps() && len(c.Requirements) > len(widest.Requirements) {
				widest = c
			}
		}
	}
	slots, workers := make(chan struct{}, runtime.GOMAXPROCS(0)), sync.WaitGroup{}
	for i, rec := range recs { // each begins with another alteration
		at, base, before := 0, history.Of(rec), judge.Recording(rec)
		for a := range All(rec) {
			if at++; (at-1)%n != i%n {
				continue
			}
			slots <- struct{}{}
			workers.Go(func() {
				if altered, changed := a.In(rec); changed {
					judged(Judge(a, base, before, altered))
				}
				<-slots
			})
		}
	}
	workers.Wait()
	t.Logf("every %d of %d: %v; the widest: %s names %v", n, count, classes, widest, widest.Requirements)
	slices.Sort(widths)
	if median := widths[len(widths)/2]; median != 1 || len(widest.Requirements) > atMost {
		t.Errorf("precision: one requirement is wanted in the middle and %d at most, %d and %d came", atMost, median, len(widest.Requirements))
	}
	// The thousands share one recording.
	before := judge.Recording(recs[0])
	for a := range All(recs[0]) {
		a.In(recs[0])
	}
	if after := judge.Recording(recs[0]); !reflect.DeepEqual(before, after) {
		t.Errorf("a recording that was altered in copies is judged otherwise afterwards: %v", after.Reasons)
	}
}
