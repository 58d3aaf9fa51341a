package checks

import (
	"slices"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// One of several replicas may have a default limit of its own. Its page looks like one that has no room, so that it is
// compared with other pages without a limit, and not with all listings.

// withoutLimit is the kind of listings without a limit.
const withoutLimit = "without a limit"

// shorterThan20 returns an animal that a listing without a limit lacks, although it has fewer than 20, and listings
// before and afterwards show that one, those before longer ago than the patience.
func shorterThan20(h *history.History, x history.Exchange) (id string, short bool) {
	return firstOf(lackedBy(h, x, spec.DefaultLimit), func(id string) bool {
		return ListedAfter(h, x, id) && !h.MayLag(x, firstShown(h, id))
	})
}

// disagreeingWithoutLimit returns the id of an animal that a listing without a limit lacks, although it has fewer than
// 20 and another one has more; "" if there is none, or if a look has found one of old.
func disagreeingWithoutLimit(h *history.History) (lacked string) {
	all := unfiltered(h, false)
	for _, x := range all {
		if _, short := shorterThan20(h, x); short {
			return ""
		}
		longer := func(y history.Exchange) bool { return y.Len() > x.Len() && !y.Sent.After(x.Sent) }
		kept := func(id string) bool { return ListedAfter(h, x, id) }
		if id, short := firstOf(lackedBy(h, x, spec.DefaultLimit), kept); short && slices.ContainsFunc(all, longer) {
			lacked = id
		}
	}
	return lacked
}

// judgeWithoutLimit judges the listings without a limit, unless those with one lack animals too.
func judgeWithoutLimit(j *check.Judge) {
	lacks := func(x history.Exchange) bool {
		return len(unsteady(j.History, x)) > 0 || unsteadyOther(j.History, x) != ""
	}
	if slices.ContainsFunc(unfiltered(j.History, true), lacks) {
		return
	}
	for _, x := range unfiltered(j.History, false) {
		if id, short := shorterThan20(j.History, x); short {
			j.Expect("LIST-5", x, check.ListAnimal(id, "which listings before and afterwards show, among at most 20 animals"),
				"%s has %s", x.Request.Path, spec.Count(x.Len(), "animal"))
			return
		}
	}
}

// unfiltered returns the listings without a filter that ask for a limit, or that do not.
func unfiltered(h *history.History, limited bool) []history.Exchange {
	return keepIf(h.All, func(x history.Exchange) bool {
		_, asked := x.Asked("limit")
		_, status, plain := x.Listing()
		return plain && asked == limited && status == "" && x.Auth.Valid() && x.Len() >= 0
	})
}
