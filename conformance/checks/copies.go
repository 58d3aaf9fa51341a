package checks

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// A cache whose key lacks a parameter answers a listing as it did one with another value of that parameter. The copy
// has too many animals or too few, or those of another status, and breaks one requirement or another. That is one
// fault.

// titleCopies gives the findings of which most listings are such copies one title. It returns these listings, each with
// the one that it is a copy of.
func titleCopies(h *history.History, all []verdict.Check) map[int]history.Exchange {
	if shared := sharedAnswers(h); titleShared(all, shared) {
		return shared
	}
	titled, copies := map[int]history.Exchange{}, map[string]map[int]history.Exchange{}
	for _, c := range all {
		for n, f := range c.Findings {
			if !strings.HasPrefix(string(f.Requirement), "LIST-") {
				continue
			}
			for _, parameter := range []string{"limit", "status"} {
				if copies[parameter] == nil {
					copies[parameter] = copiesFor(h, parameter)
				}
				if ofCopies(f, copies[parameter]) {
					c.Findings[n].Title = fmt.Sprintf("A listing is a copy of one with another %s", parameter)
					maps.Copy(titled, copies[parameter])
				}
			}
		}
	}
	return titled
}

// titleShared gives the findings of which most listings have a shared answer one title, if these break limit and status,
// and reports whether they do.
func titleShared(all []verdict.Check, shared map[int]history.Exchange) bool {
	var found []*verdict.Finding
	for _, c := range all {
		for n, f := range c.Findings {
			if strings.HasPrefix(string(f.Requirement), "LIST-") && ofCopies(f, shared) {
				found = append(found, &c.Findings[n])
			}
		}
	}
	of := func(id spec.ID) bool {
		return slices.ContainsFunc(found, func(f *verdict.Finding) bool { return f.Requirement == id })
	}
	if !of("LIST-4") || !of("LIST-7") {
		return false
	}
	for _, f := range found {
		f.Title = "A listing has the answer of another that is in flight"
	}
	return true
}

// sharedAnswers returns the listings that are equal to one with another query in flight at the same time, each with
// that one. It returns an empty map unless others show that the service knows both limit and status.
func sharedAnswers(h *history.History) map[int]history.Exchange {
	shared, all := map[int]history.Exchange{}, listings(h)
	for _, x := range all {
		for _, y := range all {
			together := y.Sent.Before(x.Ended()) && x.Sent.Before(y.Ended())
			if together && x.Request.Path != y.Request.Path && bytes.Equal(x.Response.Body, y.Response.Body) {
				shared[x.N] = y
			}
		}
	}
	limited := func(x history.Exchange) bool { return value(x, "limit") == fmt.Sprint(x.Len()) && lacks(h, x, all) }
	filtered := func(x history.Exchange) bool {
		other := func(p history.Pet) bool { s, _ := p.Status(); return string(s) != value(x, "status") }
		return value(x, "status") != "" && x.Len() > 0 && !slices.ContainsFunc(x.Shown(), other)
	}
	alone := func(kept func(history.Exchange) bool) bool {
		return slices.ContainsFunc(all, func(x history.Exchange) bool { return shared[x.N].N == 0 && kept(x) })
	}
	if !alone(limited) || !alone(filtered) {
		clear(shared)
	}
	return shared
}

// ofCopies reports whether most listings of a finding are copies. A listing that was sent beside others may be one of
// an answer that was under way.
func ofCopies(f verdict.Finding, copies map[int]history.Exchange) bool {
	are, all := 0, 0
	for _, c := range f.Cases {
		all += len(c.Exchanges)
		are += len(keepIf(c.Exchanges, func(n int) bool { return copies[n].N > 0 }))
	}
	return 2*are > all
}

// listings are those with animals: two without any are equal for other reasons.
func listings(h *history.History) []history.Exchange {
	return keepIf(h.All, func(x history.Exchange) bool { return x.Operation == spec.ListPets && x.Auth.Valid() && x.Len() > 0 })
}

// copiesFor returns the listings that are equal to one with another value of a parameter, each with that one. It
// returns an empty map if each of them is what was asked for, or if listings show that they were not answered as those
// before them were, unless these are few of many: a cache keeps a copy for a while.
func copiesFor(h *history.History, parameter string) map[int]history.Exchange {
	listings := listings(h)
	creations := keepIf(h.All, func(x history.Exchange) bool { return x.Operation == spec.CreatePet && x.Status()/100 != 4 })
	copies, wrong, fresh := map[int]history.Exchange{}, false, 0
	for _, x := range listings {
		// A creation that is surely between two listings may have emptied the cache; one that overlaps with them may
		// have too.
		var surely, maybe time.Time
		for _, w := range creations {
			if !w.Ended().After(x.Sent) && w.Sent.After(surely) {
				surely = w.Sent
			}
			if w.Sent.Before(x.Ended()) && w.Ended().After(maybe) {
				maybe = w.Ended()
			}
		}
		alone, same := true, false
		for _, y := range listings {
			if without(x, parameter) != without(y, parameter) || y.N == x.N {
				continue
			}
			equal, other := bytes.Equal(x.Response.Body, y.Response.Body), value(x, parameter) != value(y, parameter)
			if equal && other && y.Sent.Before(x.Ended()) && !y.Ended().Before(surely) {
				copies[x.N] = y
			}
			if !y.Ended().After(x.Sent) && y.Sent.After(maybe) {
				alone, same = false, same || equal
			}
		}
		if !alone && !same {
			fresh++
		}
		wrong = wrong || copies[x.N].N > 0 && isWrong(h, x, listings)
	}
	if !wrong || fresh > 0 && (len(copies) < manyCopies || eachFresh*fresh > len(copies)) {
		clear(copies)
	}
	return copies
}

const (
	// manyCopies is the least number of copies beside which a listing may be none.
	manyCopies = 50
	// eachFresh is how many copies there are at least for each listing that is none.
	eachFresh = 8
)

// isWrong reports whether a listing has not the animals that its limit allows, although a limit has an effect: it lacks
// one for which there is room, or has more, where another limit was kept. A default that is wrong is no copy.
func isWrong(h *history.History, x history.Exchange, listings []history.Exchange) bool {
	limit, err := strconv.Atoi(value(x, "limit"))
	_, given := x.Asked("limit")
	switch {
	case err != nil || x.Len() == limit:
		return false
	case x.Len() < limit:
		return lacks(h, x, listings)
	}
	return given && slices.ContainsFunc(listings, func(y history.Exchange) bool {
		return without(x, "limit") == without(y, "limit") && value(y, "limit") == fmt.Sprint(y.Len()) && lacks(h, y, listings)
	})
}

// lacks reports whether a listing lacks an animal that another listing with its status shows.
func lacks(h *history.History, x history.Exchange, listings []history.Exchange) bool {
	return slices.ContainsFunc(createdBefore(h, x), func(c history.Creation) bool {
		return !check.Holds(x, c.Answered.ID) && slices.ContainsFunc(listings, func(y history.Exchange) bool {
			return value(y, "status") == value(x, "status") && check.Holds(y, c.Answered.ID)
		})
	})
}

func value(x history.Exchange, parameter string) string {
	v, given := x.Asked(parameter)
	if parameter == "limit" && !given {
		return fmt.Sprint(spec.DefaultLimit)
	}
	return v
}

// without is the query of a listing without a parameter.
func without(x history.Exchange, parameter string) string {
	q := maps.Clone(x.Query())
	q.Del(parameter)
	return q.Encode()
}
