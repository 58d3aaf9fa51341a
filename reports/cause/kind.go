package cause

import (
	"fmt"
	"net/http"
	"slices"

	"petconform/spec"
	"petconform/spec/verdict"
)

// kind is what the sights of one cause share.
type kind string

// The kinds that several requirements share. Any other kind is a requirement, or a requirement with a status.
const (
	// letIn: a request without a valid key is served.
	letIn kind = "let in"
	// taken: createPet accepts a body that it has to refuse.
	taken kind = "taken"
)

// sight is cases of one finding that share a kind.
type sight struct {
	kind    kind
	check   verdict.Check
	finding verdict.Finding
	cases   []verdict.Case
	// follows says that the sight is a consequence of another one.
	follows bool
}

func (s sight) requirement() spec.ID { return s.finding.Requirement }

// status returns the statuses of which one was expected, and the one received; nil and 0 if the sight is not about a
// status.
func (s sight) status() (wanted []int, came int) {
	if len(s.cases) == 0 || len(s.cases[0].Wanted) == 0 {
		return nil, 0
	}
	return s.cases[0].Wanted, s.cases[0].Status
}

// sights divides a finding by the kind of its cases.
func sights(c verdict.Check, f verdict.Finding) []sight {
	if len(f.Cases) == 0 {
		return []sight{{kind: kind(f.Requirement), check: c, finding: f}}
	}
	var all []sight
	for _, one := range f.Cases {
		k := kindOf(f.Requirement, one)
		i := slices.IndexFunc(all, func(s sight) bool { return s.kind == k })
		if i < 0 {
			i, all = len(all), append(all, sight{kind: k, check: c, finding: f})
		}
		all[i].cases = append(all[i].cases, one)
	}
	return all
}

func kindOf(id spec.ID, c verdict.Case) kind {
	served := c.Status/100 == 2
	switch {
	case len(c.Wanted) == 0 && id == "SERVICE-3":
		return kind(fmt.Sprintf("%s %s", id, c.Operation))
	case len(c.Wanted) == 0:
		return kind(id)
	case c.Status/100 == 3: // a router redirects, whatever is asked for
		return redirect(c.Status)
	case slices.Contains(ofAddress, c.Status):
		return kind(fmt.Sprintf("%d from %s", c.Status, c.Operation))
	case c.Wanted[0] == 401 && served:
		return letIn
	case c.Wanted[0] == 400 && served && c.Operation == spec.CreatePet:
		return taken
	case id != "AUTH-5" && (c.Wanted[0] == 401 || c.Wanted[0] == 400):
		return instead(c.Status, c.Wanted[0])
	}
	if id == "AUTH-5" {
		return kind(id) // whatever is judged before the key gives its own status
	}
	return kind(fmt.Sprintf("%s %s", id, instead(c.Status, c.Wanted[0])))
}

// ofAddress are statuses by which a service refuses an operation at its address, whatever is asked of it.
var ofAddress = []int{http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented}

// redirect is the kind of a redirect.
func redirect(status int) kind { return kind(fmt.Sprint(status)) }

// instead is the kind of a wrong status that a service maps in one place.
func instead(came, wanted int) kind { return kind(fmt.Sprintf("%d instead of %d", came, wanted)) }

// grouped groups sights by kind, after consequences have got the kind of their cause.
func grouped(all []sight) [][]sight {
	all = followed(all)
	var kinds []kind
	by := map[kind][]sight{}
	for _, s := range all {
		if by[s.kind] == nil {
			kinds = append(kinds, s.kind)
		}
		by[s.kind] = append(by[s.kind], s)
	}
	out := make([][]sight, len(kinds))
	for i, k := range kinds {
		out[i] = by[k]
	}
	return out
}
