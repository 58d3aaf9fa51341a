package explore

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"petconform/conformance/check"
	"petconform/conformance/checks"
	"petconform/spec"
	"petconform/spec/history"
)

// reader knows the animals of a history, which no rule does: those that the run created and since when.
type reader struct {
	h        *history.History
	patience time.Duration
	// byDefault is the target's limit of a listing that asks for none.
	byDefault int
	created   []history.Creation
	kept      []history.Creation // those that reads have to show
	omitted   bool               // an animal was created without a status
	// refused are the refused creations by the name that they sent.
	refused map[string]history.Exchange
	// gone are the results of isGone, by id.
	gone map[string]bool
	// tested are the requirements that an answer could have broken. firm counts the answers whose status is not open.
	tested map[spec.ID]bool
	firm   int
}

func newReader(h *history.History, patience time.Duration) *reader {
	return &reader{h: h, patience: patience, byDefault: checks.EffectiveDefault(h), created: h.Created(), kept: h.Owed(),
		refused: checks.RefusedCreates(h), gone: map[string]bool{}, tested: map[spec.ID]bool{},
		omitted: slices.ContainsFunc(h.Created(), func(c history.Creation) bool { return !c.Sent.Has("status") && c.Sent.Has("name") })}
}

// owed returns the animals that the run created before x was sent and that x has to show.
func (r *reader) owed(x history.Exchange) []history.Creation {
	var out []history.Creation
	fetched := x.Operation == spec.GetPet && r.h.Meta.AsOf.Before(spec.Removal)
	_, status, _ := x.Listing()
	listed := x.HasRoom(r.byDefault)
	for _, c := range r.kept {
		shown, has := c.Answered.Status()
		mine := fetched && x.PetID() == c.Answered.ID || listed && (status == "" || has && shown == status)
		if mine && c.Answered.ID != "" && c.Exchange.Ended().Before(x.Sent) {
			out = append(out, c)
		}
	}
	return out
}

// shows reports whether a read shows an animal that it owes. An answer of getPet other than 404 is left to its status.
func shows(x history.Exchange, c history.Creation) bool {
	if x.Operation == spec.GetPet {
		return x.Status() != 404
	}
	return check.Holds(x, c.Answered.ID)
}

// lackedBy is the requirement that a read can break by lacking an animal.
func lackedBy(x history.Exchange) spec.ID {
	_, status, _ := x.Listing()
	switch {
	case x.Operation == spec.GetPet:
		return "CREATE-13"
	case status != "":
		return "LIST-8"
	}
	return "LIST-11"
}

// lacking describes a read that lacks an animal.
func lacking(x history.Exchange) string {
	if x.Len() >= 0 {
		return spec.Count(x.Len(), "animal") + " without it, fewer than the limit"
	}
	return fmt.Sprintf("status %d", x.Status())
}

// blame returns the requirement that an absence breaks: CREATE-13 if the animal is gone, or else that of the read, with
// the status that getPet should have had.
func (r *reader) blame(x history.Exchange, c history.Creation) (id spec.ID, wanted []int) {
	gone, known := r.gone[c.Answered.ID]
	if !known {
		gone = r.isGone(c)
		r.gone[c.Answered.ID] = gone
	}
	switch {
	case gone:
		return "CREATE-13", nil
	case x.Operation == spec.GetPet:
		return "GET-1", []int{http.StatusOK}
	}
	return lackedBy(x), nil
}

// isGone reports whether both the last getPet and the last unfiltered listings lack an animal. It is not gone if a read
// shows it after another lacked it that was no longer young: then a replica still has it.
func (r *reader) isGone(c history.Creation) bool {
	byGet, byLists, lackedOld := false, false, false
	for _, y := range r.h.All {
		_, status, plain := y.Listing()
		told := y.Status() == http.StatusOK || y.Status() == http.StatusNotFound // a 401 tells nothing of the animal
		get := told && y.PetID() == c.Answered.ID
		list := plain && status == "" && y.Len() >= 0
		if y.Sent.Before(c.Exchange.Ended()) || !usable(y) || !get && !list {
			continue
		}
		shown := shows(y, c)
		switch {
		case shown && lackedOld:
			return false
		case get:
			byGet = !shown
		case list:
			byLists = !shown && (byLists || y.HasRoom(r.byDefault))
		}
		lackedOld = lackedOld || !shown && (get || y.HasRoom(r.byDefault)) && y.Sent.Sub(c.Exchange.Ended()) >= r.patience
	}
	return byGet && byLists
}
