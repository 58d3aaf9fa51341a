package cause

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"petconform/spec/verdict"
)

// grouped puts the places of one cause together: first those that show it, then those that follow from it, each in the
// order of the ledger.
func grouped(all []Place) (groups [][]Place) {
	for i := range all {
		all[i].cause = i
	}
	for kind, related := range []func(all []Place, p, q Place) bool{alike, follows} {
		for i := range all {
			of := slices.IndexFunc(all, func(q Place) bool { return q.cause != all[i].cause && related(all, all[i], q) })
			for j, old := 0, all[i].cause; j < len(all) && of >= 0; j++ {
				if all[j].cause == old {
					all[j].cause, all[j].follows = all[of].cause, kind
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Place) int {
		return cmp.Or(a.cause-b.cause, a.follows-b.follows, a.number()-b.number())
	})
	for i, p := range all {
		if i == 0 || p.cause != all[i-1].cause {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], p)
	}
	return groups
}

// alike reports whether two places break the same requirement, or show the same wrong status. A request that succeeds
// and must not is one fault, whether it lists (200) or creates (201), and so is a redirect, whatever was asked for.
func alike(_ []Place, p, q Place) bool {
	return p.Finding.Requirement == q.Finding.Requirement || pair(wrong(p), wrong(q), func(a, b verdict.Case) bool {
		return (sameStatus(a, b) || served(a) && served(b)) && (a.Status/100 == 3 || shared(a.Wanted, b.Wanted))
	})
}

// follows reports whether a place is a consequence of another one, q: by the ledger, if q has the same wrong status, or
// none; by the ledger, if it repeats q in the same response; or if it shows in responses with one wrong status alone.
func follows(all []Place, p, q Place) bool {
	broken, id := p.broken, q.Finding.Requirement
	return slices.Contains(broken.Follows, id) && (len(wrong(q)) == 0 || pair(wrong(q), wrong(p), sameStatus)) ||
		slices.Contains(broken.Repeats, id) && pair(q.Finding.Cases, p.Finding.Cases, sameResponse) ||
		len(p.Finding.Cases) > 0 && len(wrong(p)) == 0 && only(all, q.cause, p)
}

// only reports whether a place shows in responses with the wrong status of a cause alone, or in others like them if
// these are redirects or server errors, which are never right.
func only(all []Place, cause int, p Place) bool {
	known := map[any]bool{}
	response := func(c verdict.Case) string { return fmt.Sprint(c.Operation, c.Status) }
	for _, q := range all {
		for _, c := range wrong(q) {
			if q.cause == cause {
				known[response(c)] = c.Status/100 == 3 || c.Status/100 == 5
				for _, n := range c.Exchanges {
					known[n] = true
				}
			}
		}
	}
	return !slices.ContainsFunc(p.Finding.Cases, func(c verdict.Case) bool {
		return !known[response(c)] && slices.ContainsFunc(c.Exchanges, func(n int) bool { return !known[n] })
	})
}

// title is what the places that show a cause have in common: a wrong status with the requests that get it, or what the
// ledger says of the first requirement.
func title(all []Place) string {
	text, own := all[0].broken.Broken(), own(all)
	var came, wanted, occasions []string
	for _, p := range own {
		for _, c := range wrong(p) {
			came, wanted = with(came, fmt.Sprint(c.Status)), with(wanted, fmt.Sprint(c.Wanted[0]))
		}
		occasions = with(occasions, p.broken.Occasion)
	}
	if !slices.ContainsFunc(own, func(p Place) bool { return len(wrong(p)) == 0 }) {
		text = fmt.Sprintf("%s instead of %s", strings.Join(came, " or "), strings.Join(wanted, " or "))
		if on := Operations(own...); len(on) == 1 {
			text += " from " + on[0]
		}
		if len(occasions) == 1 {
			text = strings.TrimSpace(text + " " + occasions[0])
		}
	}
	if slices.ContainsFunc(own, func(p Place) bool { return p.Finding.Often != "" }) {
		text += ", sometimes"
	}
	return text
}

// wrong are the cases of a place that are about a wrong status.
func wrong(p Place) []verdict.Case {
	return slices.DeleteFunc(slices.Clone(p.Finding.Cases), func(c verdict.Case) bool { return len(c.Wanted) == 0 })
}

func served(c verdict.Case) bool          { return c.Status/100 == 2 }
func sameStatus(a, b verdict.Case) bool   { return a.Status == b.Status }
func sameResponse(a, b verdict.Case) bool { return shared(a.Exchanges, b.Exchanges) }

func shared(a, b []int) bool {
	return slices.ContainsFunc(a, func(n int) bool { return slices.Contains(b, n) })
}

func pair(some, others []verdict.Case, are func(a, b verdict.Case) bool) bool {
	return slices.ContainsFunc(some, func(a verdict.Case) bool {
		return slices.ContainsFunc(others, func(b verdict.Case) bool { return are(a, b) })
	})
}
