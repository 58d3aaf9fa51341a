package judge

import (
	"fmt"

	"petconform/conformance/model"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/history"
)

// untold makes the checks inconclusive whose reads had nothing to show: a listing that is shorter than its limit passes
// in an empty store, and proves nothing.
func (r *Run) untold() {
	kinds := map[spec.ID]model.Kind{"GET-1": model.Fetch, "LIST-5": model.WithoutLimit, "LIST-8": model.Filtered, "LIST-11": model.WithLimit}
	for _, c := range plan.All() {
		f, reads := r.checks[c.ID], r.h.All
		kind, judged := kinds[c.Proves]
		if kind == model.Filtered {
			reads = r.h.Of(c.ID) // those with its status
		}
		switch {
		case c.Proves == "CREATE-12" && len(r.h.All) > 0:
			how, whyNot := r.store.Searched()
			if whyNot != "" {
				f.doubt(history.Exchange{}, "%s", whyNot)
			} else {
				f.evidence = append(f.evidence, how)
			}
		case !judged || len(r.h.Of(c.ID)) == 0:
		default:
			r.tells(f, kind, reads)
		}
	}
}

// tells makes a check inconclusive unless one of its reads was full, or owed an animal.
func (r *Run) tells(f *found, kind model.Kind, reads []history.Exchange) {
	most, told, lawful := 0, false, false
	operation := spec.ListPets
	if kind == model.Fetch {
		operation = spec.GetPet
	}
	for _, x := range reads {
		if x.Operation != operation || model.KindOf(x) != kind || !x.Auth.Valid() || !x.Answered() {
			continue
		}
		lawful, most = lawful || x.Status() == 200 || x.Status() == 404, max(most, x.Len())
		owed := len(r.store.Owes(x)) > 0
		limit, _, _ := x.Listing()
		told = told || kind != model.Fetch && (x.Len() >= limit || x.Continues()) || owed && kind != model.WithoutLimit
	}
	switch {
	case told || !lawful || len(f.findings) > 0:
	case r.h.Meta.ReadOnly:
		f.notRun = "a read-only run creates no animals to look for"
	case kind == model.WithoutLimit:
		f.doubt(history.Exchange{}, "a listing without a limit has %s, and the store must have more than %d to show that it stops there",
			spec.Count(most, "animal"), spec.DefaultLimit)
	default:
		f.doubt(history.Exchange{}, "the run knows no animal that these reads have to show")
	}
	if told {
		f.evidence = append(f.evidence, fmt.Sprintf("%d of %s as expected", f.held, spec.Count(f.held, "response")))
	}
}
