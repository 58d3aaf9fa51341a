package checks

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

const (
	// mostPages is how many pages are followed by Link: 1,000 animals.
	mostPages = 10
	// mostBetween is how many ids may lie between the run's own. A target that assigns consecutive ids leaves none out
	// unless other clients create animals too.
	mostBetween = 48
	// mostBetweenDeep is the same for a deep run, which can ask for each where ids rise by a few: 24 animals, 10 ids
	// apart.
	mostBetweenDeep = 240
	// idsAfter is how many ids after the run's last are asked for.
	idsAfter = 2
)

// lookThrough looks for what a refused request left behind in a store whose first page is full. It follows rel="next"
// in Link, lists each status, and where ids count up it asks for every id between those of the run's own animals and
// for the two after them. Example: the run's animals have the ids 251 to 260, 262 and 263; it asks for 261, 264 and
// 265.
func lookThrough(s *check.Sender, first history.Exchange) {
	if showsAll(first) || first.Len() < 0 {
		return
	}
	x, seen := first, map[string]bool{}
	for n := 2; n <= mostPages; n++ {
		query, ok := nextPage(x)
		if !ok || seen[query] { // a page that names itself as the next leads nowhere
			break
		}
		seen[query] = true
		x = s.List(fmt.Sprintf("page-%d", n), check.Query{Raw: query})
	}
	if x.N != first.N && x.Len() >= 0 && !x.Continues() {
		return
	}
	if !allListed(s.History()) {
		for _, status := range spec.Statuses() {
			ours := withStatus(s.Created(), status)
			s.Until(func(x history.Exchange) time.Time { return lacking(x, spec.MaxLimit, ours) }, func() history.Exchange {
				return s.List(string(status), check.Query{Limit: "100", Status: string(status)})
			})
		}
	}
	// If the listings have already shown it, ids are requested only within StandardRequests.
	if ids := neighbours(s.Created(), mostIDs(s.Deep)); s.Getting() && (len(ids) <= s.Left() || !allListed(s.History())) {
		for _, id := range ids {
			s.Get("neighbour-"+id, id)
		}
	}
}

func mostIDs(deep bool) int {
	if deep {
		return mostBetweenDeep
	}
	return mostBetween
}

var linkNext = regexp.MustCompile(`<([^>]*)>[^,<]*rel="?next"?`)

// nextPage returns the query of the page that follows a listing, where its Link names one of listPets.
func nextPage(x history.Exchange) (query string, ok bool) {
	if x.Len() <= 0 {
		return "", false
	}
	m := linkNext.FindStringSubmatch(strings.Join(x.Response.Header.Values("Link"), ", "))
	if m == nil {
		return "", false
	}
	u, err := url.Parse(m[1])
	if err != nil || u.RawQuery == "" || u.Path != "" && !strings.HasSuffix(u.Path, "/pets") {
		return "", false
	}
	return u.RawQuery, true
}

// lastPageSeen reports whether the run followed Link to the last page.
func lastPageSeen(j *check.Judge) bool {
	pages := j.Steps("page-")
	if len(pages) == 0 {
		return false
	}
	x := pages[len(pages)-1]
	return x.Len() >= 0 && !x.Continues()
}

// notWhole says why the run has not looked through the whole store, and what to do.
func notWhole(h *history.History) string {
	use := "use --deep where ids count up, "
	if h.Meta.Deep {
		use = "use "
	}
	if slices.ContainsFunc(h.All, func(x history.Exchange) bool { return x.Len() >= spec.MaxLimit }) {
		return "the store has 100 animals or more, so an animal that was left behind may be on a later page; " + use +
			"a target with fewer animals, a waiver, or leave the check out (--skip create-refused-leaves-nothing --accept-part)"
	}
	return "no listing with limit=100 shows the whole store"
}

// allLookedAt reports whether getPet was called for every id that an animal which was left behind could have.
func allLookedAt(h *history.History) bool {
	ids := neighbours(createdByChecks(h), mostIDs(h.Meta.Deep))
	for _, id := range ids {
		x, asked := fetched(h, id)
		if _, isPet := x.Pet(); !asked || !isPet && x.Status() != http.StatusNotFound {
			return false
		}
	}
	return len(ids) > 0
}

// createdByChecks returns the animals that were created before the run looked for what refused requests left behind. An
// exploration creates more afterwards, which no listing of that check can show.
func createdByChecks(h *history.History) []history.Creation {
	if own := h.Of("create-refused-leaves-nothing"); len(own) > 0 {
		return createdBefore(h, own[0])
	}
	return h.Created()
}

// allListed reports whether the listings at the end show every animal that the checks created, so that they would show
// others of the run too.
func allListed(h *history.History) bool {
	listed := map[string]bool{}
	for _, p := range petsIn(slices.Concat(h.Of("list-created"), h.Of("create-refused-leaves-nothing"))) {
		listed[p.ID] = true
	}
	created := createdByChecks(h)
	return len(created) > 0 && !slices.ContainsFunc(created, func(c history.Creation) bool { return !listed[c.Answered.ID] })
}

// neighbours returns the ids between those of the run's animals and the next after them, where ids count up and at most
// that many lie between.
func neighbours(all []history.Creation, most int) []string {
	ids, step := countingUp(all)
	out, few := between(all, most)
	if len(ids) == 0 || !few {
		return nil
	}
	last := ids[len(ids)-1]
	for i := int64(1); i <= idsAfter && last <= math.MaxInt64-i*step; i++ {
		out = append(out, strconv.FormatInt(last+i*step, 10))
	}
	return out
}

// between returns the ids that lie between those of the run's animals and are none of theirs, where ids count up, and
// whether there are at most that many.
func between(all []history.Creation, most int) (out []string, few bool) {
	ids, step := countingUp(all)
	for i := 1; i < len(ids); i++ {
		for id := ids[i-1] + step; id < ids[i]; id += step {
			if len(out) == most {
				return nil, false
			}
			out = append(out, strconv.FormatInt(id, 10))
		}
	}
	return out, true
}

// countingUp returns the ids of the run's animals in order and the step by which they rise, where they rise by
// multiples of one step. Example: 1037, 1074, 1148 rise by 37, and 1111 is missing.
func countingUp(all []history.Creation) (ids []int64, step int64) {
	for _, c := range all {
		if id, err := strconv.ParseInt(c.Answered.ID, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for i := 1; i < len(ids); i++ {
		for rest := ids[i] - ids[i-1]; rest != 0; { // the largest step of which all are multiples
			step, rest = rest, step%rest
		}
	}
	if step <= 0 {
		return nil, 0
	}
	return ids, step
}
