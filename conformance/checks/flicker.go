package checks

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// flicker is an animal that a read lacks although reads disagree about it.
type flicker struct {
	// status is the filter of the listings, and limit their limit; "" if they have none. fetched says that the reads are
	// getPet, unlimited that they are listings without a limit.
	status, limit      string
	fetched, unlimited bool
	// id is the animal's, and other that of another client's animal about which unfiltered listings disagree.
	id, other string
}

func (f flicker) kind() string {
	switch {
	case f.fetched:
		return "getPet"
	case f.unlimited:
		return withoutLimit
	case f.status != "":
		return f.status
	}
	return "all"
}

// found reports whether x is a look that lacks what it has to show.
func (f flicker) found(h *history.History, x history.Exchange) bool {
	if !strings.HasPrefix(x.Step, steadyStep+f.kind()) {
		return false
	}
	if f.unlimited {
		_, short := shorterThan20(h, x)
		return short
	}
	return len(unsteady(h, x)) > 0 || unsteadyOther(h, x) != ""
}

// unsteady returns the animals of the run that a read lacks although they are older than the patience.
func unsteady(h *history.History, x history.Exchange) []history.Creation {
	return keepIf(owedBy(h, x), func(c history.Creation) bool { return !h.MayLag(x, c.Exchange.Ended()) })
}

// judgeSteady judges the reads of lookSteadily.
func judgeSteady(j *check.Judge) {
	for _, kind := range append([]string{"all", "getPet"}, strings.Fields("available pending sold")...) {
		looks := j.Steps(steadyStep + kind)
		wrong := keepIf(looks, func(x history.Exchange) bool { return len(unsteady(j.History, x)) > 0 })
		if len(wrong) == 0 {
			continue
		}
		x, id := wrong[0], spec.ID("LIST-11")
		c := unsteady(j.History, x)[0]
		if x.Operation == spec.GetPet {
			id = "GET-1"
		} else if kind != "all" {
			id = "LIST-8"
		}
		j.Expect(id, x, check.That(false, fmt.Sprintf("animal %s, created by the run, in each", c.Answered.ID),
			fmt.Sprintf("%d of the %d lack it, and others show it", len(wrong), len(looks))),
			"%s, sent %d times one after the other, after exchange %d created the animal", x.Request.Path, len(looks), c.Exchange.N)
		j.DependsOn(c)
		if id == "GET-1" {
			j.Wanted(http.StatusOK)
		}
	}
	judgeSteadyOthers(j)
}

// flickers returns an animal for each kind of read that disagrees with others and has not yet been found to lack one:
// listings without a filter, listings with a status, getPet.
func flickers(h *history.History) []flicker {
	reads := map[flicker][]history.Exchange{}
	for _, x := range h.All {
		if limit, _ := x.Asked("limit"); limit == "1" && emptyPages(h) {
			continue
		}
		status, _ := x.Asked("status")
		_, _, plain := x.Listing()
		if fetched := x.Operation == spec.GetPet && x.Answered(); x.Auth.Valid() && (fetched || plain && x.Len() >= 0) {
			kind := flicker{status: status, fetched: fetched}
			reads[kind] = append(reads[kind], x)
		}
	}
	var all []flicker
	filtered := slices.Concat(reads[flicker{status: "available"}], reads[flicker{status: "pending"}], reads[flicker{status: "sold"}])
	found := func(x history.Exchange) bool { return len(unsteady(h, x)) > 0 }
	for _, kind := range []flicker{{}, {status: "available"}, {status: "pending"}, {status: "sold"}, {fetched: true}} {
		own, beside := reads[kind], reads[kind]
		if kind.status != "" {
			beside = filtered
		}
		if kind == (flicker{}) {
			kind.other = otherFlickers(h)
		}
		id, read := disagreeing(h, own, beside)
		kind.limit, kind.id = strconv.Itoa(spec.MaxLimit), cmp.Or(id, kind.other)
		if limit, asked := read.Asked("limit"); kind.status != "" && (asked || read.Len() > 0) {
			kind.limit = limit // a replica may filter what fits the limit; without one, it does not cut an empty page
		}
		if kind.id != "" && !slices.ContainsFunc(own, found) {
			all = append(all, kind)
		}
	}
	limited := keepIf(reads[flicker{}], func(x history.Exchange) bool { _, asked := x.Asked("limit"); return asked })
	if id := disagreeingWithoutLimit(h); id != "" && !slices.ContainsFunc(limited, found) { // else it lacks animals whatever the limit is
		all = append(all, flicker{unlimited: true, id: id})
	}
	return all
}

// disagreeing returns the id of an animal that one of the reads lacks although it is older than one that a read beside
// them showed, and that read. Replicas that lag alike do not differ so.
func disagreeing(h *history.History, reads, beside []history.Exchange) (id string, read history.Exchange) {
	seen, known := youngestSeen(h, beside)
	for _, x := range reads {
		for _, c := range owedBy(h, x) {
			if known && !keptMiss(h, x) && x.Sent.Sub(c.Exchange.Ended()) > seen {
				return c.Answered.ID, x
			}
		}
	}
	return "", history.Exchange{}
}

// keptMiss reports whether x may be a copy of the 404 from before the creation of its animal: getPet was asked for it
// then, and has not yet returned it.
func keptMiss(h *history.History, x history.Exchange) bool {
	return x.Operation == spec.GetPet && x.PetID() == last(h, getEarly.ID).PetID() && !slices.ContainsFunc(h.All, func(y history.Exchange) bool {
		return y.Operation == spec.GetPet && y.PetID() == x.PetID() && y.Status() == http.StatusOK && y.Ended().Before(x.Sent)
	})
}

// youngestSeen returns the least age of an animal of the run that a read showed. If replicas lag alike, no read lacks
// an older one.
func youngestSeen(h *history.History, reads []history.Exchange) (least time.Duration, known bool) {
	sent := map[string]time.Time{}
	for _, c := range h.Created() {
		sent[c.Answered.ID] = c.Exchange.Sent
	}
	for _, y := range reads {
		for _, p := range readPets(y) {
			if at, ours := sent[p.ID]; ours && p.ID != "" && (!known || y.Ended().Sub(at) < least) {
				least, known = y.Ended().Sub(at), true
			}
		}
	}
	return least, known
}

// owedBy returns the animals of the run that a read lacks although it has to show them, if no replica lags.
func owedBy(h *history.History, x history.Exchange) []history.Creation {
	owed := createdBefore(h, x)
	if _, err := strconv.ParseInt(x.PetID(), 10, 64); x.Operation == spec.GetPet && err != nil {
		return nil // getPet refuses it for that
	}
	if x.Operation == spec.GetPet {
		return keepIf(owed, func(c history.Creation) bool { return c.Answered.ID == x.PetID() && x.Status() == http.StatusNotFound })
	}
	if !hasRoom(h, x) {
		return nil
	}
	if status, filtered := x.Asked("status"); filtered {
		owed = keepIf(withStatus(owed, spec.PetStatus(status)), func(c history.Creation) bool { return shownWith(h, c, spec.PetStatus(status)) })
	}
	return leftOut(x, spec.MaxLimit, owed)
}

// hasRoom reports whether a listing is certainly not full.
func hasRoom(h *history.History, x history.Exchange) bool {
	return x.HasRoom(EffectiveDefault(h)) && !anonymous(x)
}

// Disagreements says where reads of a run disagree: on an animal that one shows and a later one lacks, and on the
// values of an animal of another client. A replica that lags, or another client, may be the reason, so that the run
// need not fail.
func Disagreements(h *history.History) []string {
	var all []string
	if found := flickers(h); len(found) > 0 {
		read := "listings"
		if found[0].fetched {
			read = "responses of getPet"
		}
		all = append(all, fmt.Sprintf("%s disagree: one lacks animal %s, and others show it or a younger one; replicas may lag", read, found[0].id))
	}
	ours, seen := createdIDs(h), map[string]history.Pet{}
	for _, x := range h.All {
		for _, p := range readPets(x) {
			first, known := seen[p.ID]
			if !known {
				seen[p.ID] = p
			} else if d := first.Differences(p); len(d) > 0 && p.ID != "" && !ours[p.ID] {
				return append(all, fmt.Sprintf("the %s of animal %s, of another client, was %s at first and is %s in exchange %d", d[0].Member, p.ID, d[0].Wanted, d[0].Got, x.N))
			}
		}
	}
	return all
}
