package altered

import (
	"flag"
	"fmt"
	"reflect"
	"testing"

	"petconform/conformance/judge"
	"petconform/spec/exchange"
	"petconform/spec/long"
)

var every = flag.Int("every", 0, "judge every nth alteration; 0 chooses n by aboutSoMany")

// aboutSoMany alterations are judged, or aboutSoManyLong.
const aboutSoMany, aboutSoManyLong = 500, 5_000

// atMost is how many requirements the alteration of one thing may name: what became of an animal's creation is seen by
// whoever looks for the animal afterwards.
const atMost = 6

// TestAlterations holds when each alteration is caught or explained, and none that is lawful is held against the service.
func TestAlterations(t *testing.T) {
	recs := recordings(t)
	n := *every
	if n == 0 {
		n = max(1, count(recs)/long.Times(t, aboutSoMany, aboutSoManyLong))
	}
	tally := Every(n, recs...)
	t.Logf("every %d:\n%s", n, tally)
	t.Logf("the widest: %s names %v", tally.Widest, tally.Widest.Requirements)
	sorts := map[string]int{}
	for _, c := range tally.Wrong {
		sort := fmt.Sprint(c.Class, c.Kind, c.Part, c.Of, c.Was.Operation, c.Was.Status())
		if sorts[sort]++; sorts[sort] < 3 {
			t.Errorf("%s: %s (%s of %s, %d): it breaks %v", c.Class, c, c.Was.Step, c.Was.Check, c.Was.Status(), c.Requirements)
		}
	}
	if tally.Median() != 1 || tally.Most() > atMost {
		t.Errorf("precision: one requirement is wanted in the middle and %d at most, %d and %d came", atMost, tally.Median(), tally.Most())
	}
}

// freedoms are lawful variants whose recordings differ from the plain one's in what an alteration meets: other statuses,
// headers, ids, orders, bodies, animals that were there before.
var freedoms = []string{"categories-checked-422", "unknown-members-refused", "null-status-accepted", "compressed", "retry-after-date",
	"malformed-petid-400", "orders-404", "removal-not-announced", "ids-beyond-2-53", "newest-first", "animals-without-status",
	"pretty-printed", "pet-with-more-members", "date-absent"}

func recordings(t *testing.T) []*exchange.Recording {
	recs := []*exchange.Recording{record(t)}
	for _, name := range freedoms {
		recs = append(recs, record(t, name))
	}
	return recs
}

func count(recs []*exchange.Recording) int {
	n := 0
	for _, rec := range recs {
		for range All(rec) {
			n++
		}
	}
	return n
}

// TestAlterationsLeaveTheRecordingAlone: the thousands share one.
func TestAlterationsLeaveTheRecordingAlone(t *testing.T) {
	rec := record(t)
	before := judge.Recording(rec)
	for a := range All(rec) {
		a.In(rec)
	}
	if after := judge.Recording(rec); !reflect.DeepEqual(before, after) {
		t.Errorf("a recording that was altered in copies is judged otherwise afterwards: %v", after.Reasons)
	}
}
