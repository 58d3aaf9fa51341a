package checks

import (
	"slices"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// ofIDs are the requirements that a service breaks which gives its animals other ids.
var ofIDs = []spec.ID{"CREATE-5", "CREATE-13", "GET-1", "GET-2", "LIST-8", "LIST-10", "LIST-11"}

// titleRenumbered gives what breaks because animals have other ids than createPet returned one title.
func titleRenumbered(h *history.History, all []verdict.Check) {
	given := func(f verdict.Finding) bool { return f.Requirement == "CREATE-5" }
	if !slices.ContainsFunc(all, func(c verdict.Check) bool { return slices.ContainsFunc(c.Findings, given) }) || !renumbered(h) {
		return
	}
	for _, c := range all {
		for n, f := range c.Findings {
			if slices.Contains(ofIDs, f.Requirement) {
				c.Findings[n].Title = "Animals have other ids than createPet returned"
			}
		}
	}
}

// renumbered reports whether listings show an animal of the run under another id than createPet returned. Two animals
// of one name may be twins.
func renumbered(h *history.History) bool {
	sent, created, twins, changed := map[string]int{}, map[string]string{}, map[string]bool{}, map[string]bool{}
	for _, x := range h.All {
		if x.Operation == spec.CreatePet {
			sent[x.SentName()]++
		}
	}
	for _, c := range h.Owed() {
		if name := c.Sent.Name(); sent[name] == 1 && name == c.Answered.Name() {
			created[name] = c.Answered.ID
		}
	}
	for _, x := range h.All {
		pets, _ := x.Pets()
		in := map[string]bool{}
		for _, p := range pets {
			id, ours := created[p.Name()]
			twins[p.Name()] = twins[p.Name()] || in[p.Name()]
			changed[p.Name()] = changed[p.Name()] || ours && id != p.ID
			in[p.Name()] = true
		}
	}
	for name := range changed {
		if changed[name] && !twins[name] {
			return true
		}
	}
	return false
}
