package explore

import (
	"fmt"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
)

// looksAt notes what a read could show to be missing, or to be there in spite of a refusal.
func (r *reader) looksAt(x history.Exchange) {
	old := func(c history.Creation) bool { return x.Sent.Sub(c.Exchange.Ended()) > r.patience }
	if c, ours := r.byID[x.PetID()]; ours && x.Operation == spec.GetPet && old(c) {
		r.told["CREATE-13"] = true
	}
	limit, status, plain := asked(x)
	if n := x.Len(); n < 0 || n >= limit || !plain || continues(x) {
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

func lacking(x history.Exchange) string {
	if x.Len() >= 0 {
		return fmt.Sprintf("%d animals without it, in a page with room", x.Len())
	}
	return fmt.Sprintf("status %d", x.Status())
}

// absent gives the animals that the run had created before x was sent, that x would have to show, and that it does not.
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
	if !plain || !isList || len(pets) >= limit || continues(x) {
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

// blame names the requirement that an absence breaks: the listing's or getPet's own, or that of keeping what was created when
// no read of either kind shows the animal any more.
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

// missing says by which reads an animal is missed, as the last of each kind have it.
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
			shows := slices.ContainsFunc(petsIn(y), func(p history.Pet) bool { return p.ID == c.Answered.ID })
			m.byLists = !shows && (m.byLists || lacks)
		}
	}
	r.missing[c.Answered.ID] = m
	return m
}

// continues says whether a page names a next one: it may then be shorter than its limit.
func continues(x history.Exchange) bool {
	for name, values := range x.Response.Header {
		field, name := strings.ToLower(strings.Join(values, ",")), strings.ToLower(name)
		if name == "link" && strings.Contains(field, "next") ||
			strings.HasPrefix(name, "x-") && (strings.Contains(name, "next") || strings.Contains(name, "cursor")) && field != "" {
			return true
		}
	}
	return false
}
