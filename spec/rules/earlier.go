package rules

import (
	"fmt"
	"regexp"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// madeBy reads the names of petconform's animals: the run that made the animal, and what for.
var madeBy = regexp.MustCompile(`^petconform-([^-]+)-(.+)$`)

// leftBehind names the animal that a finding of petSchema shows, if petconform made it in an earlier run: a store that
// took what it should have refused keeps it.
func leftBehind(h *history.History, x history.Exchange, id spec.ID) string {
	for _, p := range x.Shown() {
		if !slices.ContainsFunc(petFindings(p), func(f verdict.Finding) bool { return f.Requirement == id }) {
			continue
		}
		name := madeBy.FindStringSubmatch(p.Name())
		if name == nil || name[1] == h.Meta.Run {
			return ""
		}
		return fmt.Sprintf(", in an animal that petconform made in run %s (%s)", name[1], clip(name[2]))
	}
	return ""
}
