package judge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/history"
)

// refusedCreate judges that a createPet that was answered 429 created nothing (RATE-12): the animal's name, which no
// other request has, is not in a complete listing.
func (v *view) refusedCreate(o *outcome) {
	refused := map[string]*record.Record{}
	for _, r := range v.own {
		if r.Limited() && r.Like.Request.Method == http.MethodPost {
			refused[history.ReadExchange(v.rec.Of(r)).SentName()] = r
		}
	}
	searches := v.of(record.RefusedCreate, record.Search)
	switch {
	case len(searches) == 0:
		return
	case len(refused) == 0:
		o.doubt("RATE-12", "no createPet was answered 429%s", v.bannedAfter429())
		return
	}
	x, _ := v.rec.Exchange(searches[len(searches)-1].N)
	listing := history.ReadExchange(x)
	pets, ok := listing.Pets()
	o.exchanges = append(o.exchanges, listing.N)
	if !ok || listing.Len() >= 100 {
		o.doubt("RATE-12", "the listing that would show the animal is not complete (exchange %d)", listing.N)
		return
	}
	for _, p := range pets {
		if r := refused[p.Name()]; r != nil {
			o.fail("RATE-12", r, "a createPet that was answered 429", "no animal of that name",
				fmt.Sprintf("%q is in the listing of exchange %d, with the id %s", p.Name(), listing.N, p.ID))
		}
	}
	if !o.open("RATE-12") {
		o.show("none of the animals of %s is among the %d in the listing", spec.Count(len(refused), "refused createPet"), len(pets))
	}
	o.settle("RATE-12")
}

// bannedAfter429 returns a clause that names the first 401 or 403 after a 429, or "" if there is none.
func (v *view) bannedAfter429() string {
	refused := slices.IndexFunc(v.own, (*record.Record).Limited)
	if refused < 0 {
		return ""
	}
	after := v.own[refused:]
	i := slices.IndexFunc(after, (*record.Record).Barred)
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("; the key seems to have been banned (exchange %d: %d after a 429)", after[i].N, after[i].Status)
}

// refusedCategory returns a warning if valid createPets were refused, most likely because the target has no such
// category, or "". No requirement forbids that.
func (v *view) refusedCategory() string {
	n, all := 0, 0
	var first history.Exchange
	for _, r := range v.own {
		if r.Like.Request.Method != http.MethodPost || r.Limited() {
			continue
		}
		all++
		switch r.Status {
		case http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity:
			if n++; n == 1 {
				first = history.ReadExchange(v.rec.Of(r))
			}
		}
	}
	var sent spec.NewPet
	if n == 0 || json.Unmarshal(first.Request.Body, &sent) != nil {
		return ""
	}
	return fmt.Sprintf("%d of %s were refused (exchange %d: %d %s); if the target has no category %d, name one that it has with --category-id",
		n, spec.Count(all, "valid createPet"), first.N, first.Status(), first.Excerpt(), sent.CategoryID)
}
