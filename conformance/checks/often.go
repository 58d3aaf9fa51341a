package checks

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// often says how often a finding shows, if it shows on some requests and not on others like them: "3 of 9 requests to
// getPet, about every third, from the second on", or "only while another createPet was in flight". It returns "" for a
// fault that always shows, and for one of which the run can't tell.
func often(h *history.History, f verdict.Finding) string {
	if whileCreating(h, f) {
		return besideCreation
	}
	if words := fromThenOn(h, f); words != "" {
		return words
	}
	broken := map[int]bool{}
	operations := map[spec.Operation]bool{}
	var wanted []int
	for _, c := range f.Cases {
		operations[c.Operation], wanted = true, c.Wanted
		for _, n := range c.Exchanges {
			broken[n] = true
		}
	}
	fails := func(x history.Exchange) bool { return broken[x.N] || f.Requirement == "SERVICE-3" && x.Failure != nil }
	alike := func(x history.Exchange) bool { return operations[x.Operation] }
	spread, sameBody, same := true, true, asking
	switch {
	case slices.Contains([]spec.ID{"LIST-8", "LIST-11", "GET-1"}, f.Requirement):
		fails = func(x history.Exchange) bool {
			return len(owedBy(h, x)) > 0 || x.Status() != http.StatusOK
		}
		alike = func(x history.Exchange) bool {
			return operations[x.Operation] && x.Auth.Valid() && !x.Limited() && couldShow(h, x)
		}
		spread, sameBody = false, false // which animals a read has to show depends on the time, too
	case len(wanted) > 0 && wanted[0] == http.StatusUnauthorized:
		fails = func(x history.Exchange) bool { return x.Status() != http.StatusUnauthorized }
		alike = func(x history.Exchange) bool { return operations[x.Operation] && !x.Auth.Valid() && x.Answered() }
		spread, sameBody = false, false // operations and credentials are mixed evenly
	case f.Requirement == "AUTH-1":
		alike = func(x history.Exchange) bool { return operations[x.Operation] && x.Auth.Valid() && x.Answered() }
		spread, sameBody = false, false // AtTheEnd has looked
		// a key is valid whatever is created
		same = func(x history.Exchange) string { return x.Request.Method + x.Request.Path }
	case crashesOnRead(f):
		fails = func(x history.Exchange) bool { return broken[x.N] }
		alike = func(x history.Exchange) bool {
			return operations[x.Operation] && x.Auth.Valid() && (broken[x.N] || slices.Contains(wanted, x.Status()))
		}
		spread, sameBody = false, false
	case len(wanted) > 0 || f.Requirement == "GET-2" || strings.HasPrefix(string(f.Requirement), "LIST-") ||
		strings.HasPrefix(string(f.Requirement), "CREATE-"):
		return "" // about what was sent, or what the store has
	}
	requests := keepIf(h.All, alike)
	failing := keepIf(requests, fails)
	failed := map[int]bool{} // asked of a request many times
	for _, x := range failing {
		failed[x.N] = true
	}
	fails = func(x history.Exchange) bool { return failed[x.N] }
	every := period(requests, fails)
	spread = spread && every > 2 && len(failing) >= leastRegular && !byStatus(requests, fails)
	if len(failing) == 0 || len(failing) == len(requests) || !spread && !unlikeItself(requests, fails, sameBody, same) {
		return ""
	}
	words := fmt.Sprintf("%d of %d requests to %s", len(failing), len(requests), names(operations))
	if every > 0 {
		words += ", about every " + ordinal(every)
	}
	if first := slices.IndexFunc(requests, fails) + 1; first > 1 {
		words += fmt.Sprintf(", from the %s on", ordinal(first))
	}
	return words
}

// crashesOnRead reports whether a finding is only about server errors of getPet. Whether a listing crashes may depend
// on what the store has.
func crashesOnRead(f verdict.Finding) bool {
	return !slices.ContainsFunc(f.Cases, func(c verdict.Case) bool {
		return len(c.Wanted) == 0 || c.Status < 500 || c.Operation != spec.GetPet
	})
}

// byStatus reports whether the requests that fail are those that were refused with some status: what the run asks for
// decides how regularly these come.
func byStatus(requests []history.Exchange, fails func(history.Exchange) bool) bool {
	refused := map[int]bool{}
	for _, x := range keepIf(requests, fails) {
		if x.Status()/100 != 4 {
			return false
		}
		refused[x.Status()] = true
	}
	return !slices.ContainsFunc(requests, func(x history.Exchange) bool { return !fails(x) && refused[x.Status()] })
}

// whileCreating reports whether the listings that fail as those of a finding do were all sent beside a createPet, and
// one like them held when it was sent alone.
func whileCreating(h *history.History, f verdict.Finding) bool {
	statuses := map[int]bool{}
	for _, c := range f.Cases {
		if c.Operation != spec.ListPets || c.Status == http.StatusOK { // what else is found depends on what was created before
			return false
		}
		statuses[c.Status] = true
	}
	creations := keepIf(h.All, func(x history.Exchange) bool { return x.Operation == spec.CreatePet })
	beside := func(x history.Exchange) bool {
		return slices.ContainsFunc(creations, func(y history.Exchange) bool { return y.Sent.Before(x.Ended()) && x.Sent.Before(y.Ended()) })
	}
	alone := map[string]bool{}
	var failing []history.Exchange
	for _, x := range h.All {
		switch read := x.Auth.Valid() && x.Operation == spec.ListPets; {
		case read && statuses[x.Status()]:
			if !beside(x) {
				return false
			}
			failing = append(failing, x)
		case read && x.Status() == http.StatusOK && !beside(x):
			alone[asking(x)] = true
		}
	}
	return len(failing) >= leastBeside && slices.ContainsFunc(failing, func(x history.Exchange) bool { return alone[asking(x)] })
}

// fromThenOn says from which createPet on each ends in a server error, whatever it sends, if a finding is about these:
// a pool that refusals have used up, say. Requests that overlap with the first of them may be served.
func fromThenOn(h *history.History, f verdict.Finding) string {
	all := keepIf(h.All, func(x history.Exchange) bool { // a 413, 415 or 429 comes from before what may be used up
		return x.Operation == spec.CreatePet && x.Auth.Valid() && (x.Status() == 201 || x.Status() == 400 || crashed(x))
	})
	first := slices.IndexFunc(all, crashed)
	about := func(c verdict.Case) bool { return c.Operation == spec.CreatePet && c.Status >= 500 }
	if first < 1 || slices.ContainsFunc(f.Cases, func(c verdict.Case) bool { return !about(c) }) {
		return ""
	}
	later := keepIf(all, func(x history.Exchange) bool { return x.Sent.After(all[first].Ended()) })
	if len(later) < leastRegular || slices.ContainsFunc(later, func(x history.Exchange) bool { return !crashed(x) }) {
		return ""
	}
	return fmt.Sprintf("every createPet from the %s on", ordinal(first+1))
}

func crashed(x history.Exchange) bool { return x.Status() >= 500 }

// besideCreation says when a fault shows on reads that overlap with creations.
const besideCreation = "only while another createPet was in flight"

// leastBeside is the least number of listings that show a fault to depend on a creation; one may have met it by chance.
const leastBeside = 2

// couldShow reports whether a read has to show an animal of the run if no replica lags.
func couldShow(h *history.History, x history.Exchange) bool {
	owed := createdBefore(h, x)
	if x.Operation == spec.GetPet {
		return slices.ContainsFunc(owed, func(c history.Creation) bool { return c.Answered.ID == x.PetID() })
	}
	return x.Operation == spec.ListPets && len(owed) > 0
}

// unlikeItself reports whether a request failed and the same one did not later on. The store only grows, so that what
// an earlier one lacked is no sign. sameBody asks for the same response besides, where there was one.
func unlikeItself(requests []history.Exchange, fails func(history.Exchange) bool, sameBody bool,
	asking func(history.Exchange) string) bool {
	served := map[string][]history.Exchange{}
	for _, y := range keepIf(requests, func(y history.Exchange) bool { return !fails(y) }) {
		served[asking(y)] = append(served[asking(y)], y)
	}
	return slices.ContainsFunc(keepIf(requests, fails), func(x history.Exchange) bool {
		return slices.ContainsFunc(served[asking(x)], func(y history.Exchange) bool {
			same := !x.Answered() && x.Check == y.Check && x.Step == y.Step ||
				x.Answered() && y.Answered() && x.Status() == y.Status() && bytes.Equal(x.Response.Body, y.Response.Body)
			return !y.Sent.Before(x.Ended()) && (same || !sameBody)
		})
	})
}

var ownName = regexp.MustCompile(`"petconform-[^"]*"`)

// asking is what a request asks for, without the name of the animal that it creates.
func asking(x history.Exchange) string {
	return fmt.Sprint(x.Request.Method, " ", strings.TrimSuffix(x.Request.Path, "?"), " ", x.Auth, " ",
		ownName.ReplaceAllString(string(x.Request.Body), ""))
}

const (
	// leastRegular is the number of failures from which on an even distance shows that they do not depend on what was
	// sent.
	leastRegular = 8
	// overtaken is by how many places requests change that are sent side by side.
	overtaken = 6
)

// period returns the distance of at least three failures, 0 if they are not evenly spread.
func period(requests []history.Exchange, fails func(history.Exchange) bool) int {
	var at []int
	for i, x := range requests {
		if fails(x) {
			at = append(at, i)
		}
	}
	if len(at) < 3 {
		return 0
	}
	distance := float64(at[len(at)-1]-at[0]) / float64(len(at)-1)
	tolerance := distance / 2
	if len(at) >= leastRegular {
		tolerance = overtaken
	}
	for i, n := range at {
		if math.Abs(float64(n-at[0])-float64(i)*distance) > tolerance {
			return 0
		}
	}
	if every := int(math.Round(distance)); every > 1 {
		return every
	}
	return 0
}

func names(operations map[spec.Operation]bool) string {
	var all []string
	for _, o := range []spec.Operation{spec.ListPets, spec.CreatePet, spec.GetPet, spec.StoreOrders} {
		if operations[o] {
			all = append(all, string(o))
		}
	}
	return spec.List(all)
}

// ordinal is a number as a place: second, third, 21st.
func ordinal(n int) string {
	words := []string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	if n < len(words) {
		return words[n]
	}
	return spec.Ordinal(n)
}
