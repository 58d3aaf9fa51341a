package altered

import (
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"petconform/spec/exchange"
)

// Tally adds up what became of the alterations.
type Tally struct {
	Recordings, Judged int
	Classes            map[Class]int
	// Kinds counts by kind and class, Rules by the name of the explanation.
	Kinds map[Kind]map[Class]int
	Rules map[string]int
	// Named counts the caught ones by how many requirements they named.
	Named map[int]int
	// Widest is the alteration of one thing that named the most.
	Widest Case
	// Wrong holds what was missed or accused, the first of each sort.
	Wrong []Case
	Took  time.Duration
}

// Every judges every nth alteration of the recordings, beginning with another one for each recording, on all processors.
func Every(n int, recs ...*exchange.Recording) Tally {
	t := Tally{Recordings: len(recs), Classes: map[Class]int{}, Kinds: map[Kind]map[Class]int{}, Rules: map[string]int{}, Named: map[int]int{}}
	begun := time.Now()
	for i, rec := range recs {
		t.judge(NewBench(rec), sampled(rec, n, i))
	}
	t.Took = time.Since(begun)
	return t
}

// sampled returns every nth alteration that changes something, from the one numbered first.
func sampled(rec *exchange.Recording, n, first int) iter.Seq[Alteration] {
	return func(yield func(Alteration) bool) {
		at := 0
		for a := range All(rec) {
			if at%n == first%n && a.Changes(rec) && !yield(a) {
				return
			}
			at++
		}
	}
}

func (t *Tally) judge(b *Bench, alterations iter.Seq[Alteration]) {
	todo, done := make(chan Alteration, 256), make(chan Case, 256)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for a := range todo {
				done <- b.Judge(a)
			}
		})
	}
	go func() {
		for a := range alterations {
			todo <- a
		}
		close(todo)
		workers.Wait()
		close(done)
	}()
	for c := range done {
		t.add(c)
	}
}

func (t *Tally) add(c Case) {
	t.Judged++
	t.Classes[c.Class]++
	if t.Kinds[c.Kind] == nil {
		t.Kinds[c.Kind] = map[Class]int{}
	}
	t.Kinds[c.Kind][c.Class]++
	switch c.Class {
	case Lawful, Unseen:
		t.Rules[c.Rule.Name]++
	case Missed, Accused:
		t.Wrong = append(t.Wrong, c)
	case Caught:
		t.Named[len(c.Requirements)]++
		// A body or an answer that is exchanged for another changes many things; precision is asked of one.
		if c.Kind != Swap && len(c.Requirements) > len(t.Widest.Requirements) {
			t.Widest = c
		}
	case Told:
	}
}

// Median is how many requirements the alteration in the middle named, Most how many the widest one did.
func (t Tally) Median() int {
	half := t.Classes[Caught] / 2
	for _, n := range slices.Sorted(maps.Keys(t.Named)) {
		if half -= t.Named[n]; half < 0 {
			return n
		}
	}
	return 0
}

// Most is how many requirements the alteration of one thing named that named the most.
func (t Tally) Most() int { return len(t.Widest.Requirements) }

// Rate is judgements a second.
func (t Tally) Rate() float64 { return float64(t.Judged) / t.Took.Seconds() }

// String is the tally as a table.
func (t Tally) String() string {
	var b strings.Builder
	classes := []Class{Caught, Told, Lawful, Unseen, Missed, Accused}
	fmt.Fprintf(&b, "%d alterations of %d recordings, %.0f a second; a caught one names %d requirement(s) (median), %d at most\n",
		t.Judged, t.Recordings, t.Rate(), t.Median(), t.Most())
	fmt.Fprintf(&b, "%-11s", "")
	for _, c := range classes {
		fmt.Fprintf(&b, "%9s", c)
	}
	for _, k := range slices.Sorted(maps.Keys(t.Kinds)) {
		fmt.Fprintf(&b, "\n%-11s", k)
		for _, c := range classes {
			fmt.Fprintf(&b, "%9d", t.Kinds[k][c])
		}
	}
	fmt.Fprintf(&b, "\n%-11s", "in all")
	for _, c := range classes {
		fmt.Fprintf(&b, "%9d", t.Classes[c])
	}
	b.WriteString("\nexplained by\n")
	for _, r := range Rules() {
		fmt.Fprintf(&b, "%9d  %-7s %-25s %s\n", t.Rules[r.Name], r.Class, r.Name, r.Why)
	}
	return b.String()
}
