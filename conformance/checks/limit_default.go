package checks

import (
	"fmt"
	"slices"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// limitDefault: without a limit, the limit is 20 (Endpoints / listPets, limit). The interface promises no order, so the
// check compares the lengths of two listings and not their animals. With fewer than 21 animals in the store the lengths
// are equal whatever the default is, and the check is inconclusive; the check create-fill sees to 21.
var limitDefault = check.Check{
	ID: "list-limit-default", Title: "No limit means 20", Operation: spec.ListPets,
	Proves: "LIST-5", Also: []spec.ID{"LIST-1", "LIST-3"}, Requests: 2, Needs: []string{createFill.ID},
	Send: func(s *check.Sender) {
		twenty, none := check.List("limit=20", check.Limit(spec.DefaultLimit)), check.List("no-limit", check.Query{})
		x, y := s.Alternate(unequal, twenty, none)
		if unequal(x, y) && cutShort(s.Sent("list-limit-default"), "no-limit", "limit=20") {
			if !wasListed(s.History(), y) {
				return
			}
			s.List("available", check.Status(spec.Available))
			s.List("available, limit=20", check.Query{Raw: "status=available&limit=20"})
			if cutAlike(s.Sent("list-limit-default")) {
				return
			}
		}
		// A lagging replica, or another client, may change the store between the two. A wrong default stays wrong.
		changing := func(y history.Exchange) time.Time {
			if m := x.Len(); m < 0 || y.Len() < 0 || anonymous(y) || max(m, y.Len()) > spec.DefaultLimit ||
				!unequal(x, y) && m >= min(spec.DefaultLimit, inStore(s)) {
				return time.Time{}
			}
			return s.Newest()
		}
		if changing(y).IsZero() {
			return
		}
		y = s.Until(changing, func() history.Exchange {
			x = s.Do(twenty)
			return s.Do(none)
		})
		if unequal(x, y) {
			s.Alternate(unequal, twenty, none)
		}
	},
	Judge: func(j *check.Judge) {
		judgeDefault(j)
		judgeWithoutLimit(j)
	},
}

func judgeDefault(j *check.Judge) {
	none, twenty := j.Step("no-limit"), j.Step("limit=20")
	if listed, limited := j.Status("LIST-1", none, 200), j.Status("LIST-3", twenty, 200); !listed || !limited {
		return
	}
	switch {
	case none.Len() < 0:
		j.UnsureFor(none, "the listing without a limit is not an array")
	case twenty.Len() < 0:
		j.UnsureFor(twenty, "the listing with limit=20 is not an array")
	case twenty.Len() > spec.DefaultLimit && (none.Len() == twenty.Len() || none.Len() <= spec.DefaultLimit):
		j.UnsureFor(twenty, "the listing with limit=20 has "+spec.Count(twenty.Len(), "animal"))
	case none.Len() == twenty.Len() && none.Len() < spec.DefaultLimit && known(j.History) <= spec.DefaultLimit:
		tooFew(j, none.Len())
	case unequal(twenty, none) && !cutShort(j.Own(), "no-limit", "limit=20"):
		j.UnsureFor(none, "listings without a limit and with limit=20 do not differ in the same way each time; replicas may lag")
	case unequal(twenty, none) && wasListed(j.History, none) && !cutAlike(j.Own()) && mayGrow(j.History, none):
		j.UnsureFor(none, "the listing without a limit may be a copy that is younger than the patience")
	default:
		j.Expect("LIST-5", none, check.ListAnimals(twenty.Len(), "as limit=20 lists"))
		j.Evidence("both list %d of at least %s", twenty.Len(), spec.Count(known(j.History), "animal"))
	}
}

// unequal reports whether two listings have different lengths, none of which is too large.
func unequal(twenty, none history.Exchange) bool {
	n, m := none.Len(), twenty.Len()
	return n >= 0 && m >= 0 && max(n, m) <= spec.DefaultLimit && n != m
}

// leastSpan is the least time over which two listings have to differ. A replica that lags catches up with some of the
// animals in it.
const leastSpan = 600 * time.Millisecond

// cutShort reports whether the listings of one step have one length each time, and those of another one more: what lags
// changes, and differs for both alike.
func cutShort(own []history.Exchange, short, long string) bool {
	lengths := func(step string) (all []int, first, last time.Time) {
		sent := keepIf(own, func(x history.Exchange) bool { return x.Step == step })
		if len(sent) < check.Pairs {
			return nil, first, last
		}
		sent = sent[len(sent)-check.Pairs:]
		for _, x := range sent {
			all = append(all, x.Len())
		}
		return slices.Compact(all), sent[0].Sent, sent[len(sent)-1].Sent
	}
	a, began, ended := lengths(short)
	b, _, _ := lengths(long)
	return len(a) == 1 && len(b) == 1 && a[0] >= 0 && a[0] < b[0] && ended.Sub(began) >= leastSpan
}

// wasListed reports whether the first listing of the run, to the same address, showed the same animals, so that x may
// be its copy.
func wasListed(h *history.History, x history.Exchange) bool {
	first := h.Of(ListAll.ID)
	return len(first) > 0 && first[0].Len() == x.Len() &&
		!slices.ContainsFunc(petsIn(first[:1]), func(p history.Pet) bool { return !check.Holds(x, p.ID) })
}

// cutAlike reports whether a listing with a filter has the length of the one without, although it has more animals with
// a limit.
func cutAlike(own []history.Exchange) bool {
	length := func(step string) int {
		x, _ := firstOf(own, func(x history.Exchange) bool { return x.Step == step })
		return x.Len()
	}
	n := length("available")
	return n > 0 && n == length("no-limit") && n < length("available, limit=20")
}

// mayGrow reports whether an animal is so young that a lagging replica need not list it.
func mayGrow(h *history.History, x history.Exchange) bool {
	return slices.ContainsFunc(createdBefore(h, x), func(c history.Creation) bool { return h.MayLag(x, c.Exchange.Ended()) })
}

// tooFew says that the store has too few animals to show the default. A read-only run may not add any.
func tooFew(j *check.Judge, n int) {
	why := fmt.Sprintf("the store has %s; with fewer than 21, no limit and limit=20 list the same", spec.Count(n, "animal"))
	if j.History.Meta.ReadOnly {
		j.NotRun(why)
		return
	}
	j.Unsure(why)
}
