package explore

import (
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
)

// looksAt notes the requirements that a read tests: it could lack an animal, or show one that was refused.
func (r *reader) looksAt(x history.Exchange) {
	old := func(c history.Creation) bool { return x.Sent.Sub(c.Exchange.Ended()) > r.patience }
	if c, ours := r.byID[x.PetID()]; ours && x.Operation == spec.GetPet && old(c) {
		r.told["CREATE-13"] = true
	}
	limit, status, plain := asked(x)
	if n := x.Len(); n < 0 || n >= limit || !plain || x.Continues() {
		return
	}
	if status != "" {
		r.told["LIST-8"] = r.told["LIST-8"] || slices.ContainsFunc(r.created, func(c history.Creation) bool {
			shown, _ := c.Answered.Status()
			return shown == status && old(c)
		})
		return
	}
	if slices.ContainsFunc(r.created, old) {
		r.told["LIST-11"] = true
	}
	for _, by := range r.refused {
		if by.N < x.N && by.Status() == 401 {
			r.told["AUTH-6"] = true
		} else if by.N < x.N {
			r.told["CREATE-12"] = true
		}
	}
}

// lacking describes a read that lacks an animal.
func lacking(x history.Exchange) string {
	if x.Len() >= 0 {
		return fmt.Sprintf("%d animals without it, fewer than the limit", x.Len())
	}
	return fmt.Sprintf("status %d", x.Status())
}

// absent returns the animals that the run created before x was sent, and that x lacks although it should show them.
func (r *reader) absent(x history.Exchange) []history.Creation {
	if x.Operation == spec.GetPet {
		c, ours := r.byID[x.PetID()]
		if ours && x.Status() == 404 && r.h.Meta.AsOf.Before(spec.Removal) && c.Exchange.Ended().Before(x.Sent) {
			return []history.Creation{c}
		}
		return nil
	}
	limit, status, plain := asked(x)
	pets, isList := x.Pets()
	if !plain || !isList || len(pets) >= limit || x.Continues() {
		return nil
	}
	there := map[string]bool{}
	for _, p := range pets {
		there[p.ID] = true
	}
	var out []history.Creation
	for _, c := range r.created {
		shown, has := c.Answered.Status()
		if id := c.Answered.ID; id == "" || there[id] || !c.Exchange.Ended().Before(x.Sent) || status != "" && (!has || shown != status) {
			continue
		}
		out = append(out, c)
	}
	return out
}

// blame returns the requirement that an absence breaks: CREATE-13 if neither listings nor getPet show the animal any more, or else
// that of the read.
func (r *reader) blame(x history.Exchange, c history.Creation) spec.ID {
	missed := r.missed(c)
	_, status, _ := asked(x)
	switch {
	case missed.byGet && missed.byLists:
		return "CREATE-13"
	case x.Operation == spec.GetPet:
		return "GET-1"
	case status != "":
		return "LIST-8"
	}
	return "LIST-11"
}

// missing says whether the last getPet and the last listings lack an animal.
type missing struct{ byGet, byLists bool }

func (r *reader) missed(c history.Creation) missing {
	if m, known := r.missing[c.Answered.ID]; known {
		return m
	}
	m := missing{}
	for _, y := range r.h.All {
		if y.Sent.Before(c.Exchange.Ended().Add(r.patience)) || !usable(y) {
			continue
		}
		_, status, plain := asked(y)
		switch {
		case y.Operation == spec.GetPet && y.PetID() == c.Answered.ID:
			m.byGet = y.Status() == 404
		case y.Operation == spec.ListPets && plain && status == "" && y.Len() >= 0:
			lacks := slices.ContainsFunc(r.absent(y), func(d history.Creation) bool { return d.Answered.ID == c.Answered.ID })
			shows := slices.ContainsFunc(y.Shown(), func(p history.Pet) bool { return p.ID == c.Answered.ID })
			m.byLists = !shows && (m.byLists || lacks)
		}
	}
	r.missing[c.Answered.ID] = m
	return m
}
