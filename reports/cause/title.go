package cause

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"petconform/spec"
)

// title says what the sights of one cause have in common, and whether they show on some requests only.
func title(group []sight) string {
	for _, s := range group {
		switch {
		case s.finding.Often == "" || s.follows:
		case strings.HasPrefix(s.finding.Often, "every "):
			return titleOf(group) + ", after a while"
		default:
			return titleOf(group) + ", sometimes"
		}
	}
	return titleOf(group)
}

func titleOf(group []sight) string {
	has := func(id spec.ID) bool {
		return slices.ContainsFunc(group, func(s sight) bool { return s.requirement() == id })
	}
	main := group[0] // the others follow from it, or show the same in later requirements
	operations := operationsOf(group)
	switch wanted, came := main.status(); {
	case main.finding.Title != "":
		return main.finding.Title
	case main.kind == letIn && has("AUTH-2") && len(operations) == 1:
		return fmt.Sprintf("%s does not check the API key", operations[0])
	case main.kind == letIn && has("AUTH-2"):
		return "The API key is not checked"
	case main.kind == letIn && !has("AUTH-3"):
		return "The key is accepted under another scheme than Bearer"
	case main.kind == letIn:
		return "Requests without the right key are served"
	case main.kind == taken:
		return "createPet accepts bodies that it has to refuse"
	case main.requirement() == "SERVICE-3" && oneStatus(group) >= 500 && len(operations) == 1:
		return fmt.Sprintf("%d from %s, whatever is asked for", oneStatus(group), operations[0])
	case main.requirement() == "CREATE-13" && otherValues.MatchString(main.finding.Expected):
		return "An animal is read with other values than it was created with"
	case ofPet.MatchString(string(main.requirement())) && strings.HasPrefix(main.finding.Actual, "no "):
		return "A Pet has " + main.finding.Actual
	case main.requirement() == "SERVICE-3" && len(operations) == 1:
		return fmt.Sprintf("%s gives no complete response", operations[0])
	case len(operations) == 1 && ofError[main.kind] != "" && main.check.Held > 0 && oneStatus(group) > 0:
		return fmt.Sprintf("The %d from %s %s", oneStatus(group), operations[0], ofError[main.kind])
	case len(wanted) == 0 || came == 0 || main.kind == "AUTH-5":
		return broken(main).Broken()
	case len(operations) == 1 && severalWanted(group):
		return fmt.Sprintf("%d from %s, whatever is asked for", came, operations[0])
	case len(operations) == 1:
		return fmt.Sprintf("%d instead of %d from %s%s", came, wanted[0], operations[0], occasion(group))
	default:
		return fmt.Sprintf("%d instead of %d", came, wanted[0])
	}
}

var (
	otherValues = regexp.MustCompile(`, as (it was created|listings before and afterwards show)$`)
	ofPet       = regexp.MustCompile(`^PET-\d$`)
)

// severalWanted reports whether the requests that show a cause have different right statuses.
func severalWanted(group []sight) bool {
	first := 0
	for _, s := range group {
		wanted, _ := s.status()
		switch {
		case s.follows || len(wanted) == 0:
		case first == 0:
			first = wanted[0]
		case first != wanted[0]:
			return true
		}
	}
	return false
}

// ofError says what is wrong with the responses of one status, if the other error responses are right.
var ofError = map[kind]string{"ERROR-1": "is not application/json", "ERROR-2": "does not have the Error body"}

// oneStatus is the status of all responses that show a cause, 0 if there are several.
func oneStatus(group []sight) int {
	status := 0
	for _, s := range group {
		for _, c := range s.cases {
			if status != 0 && c.Status != status {
				return 0
			}
			status = c.Status
		}
	}
	return status
}

// occasion says which requests get a wrong status, if one requirement says it: " with a status filter".
func occasion(group []sight) string {
	words := ""
	for _, s := range group {
		switch own := broken(s).Occasion; {
		case s.follows:
		case own == "" || words != "" && words != own:
			return ""
		default:
			words = own
		}
	}
	if words == "" {
		return ""
	}
	return " " + words
}

func operationsOf(group []sight) []spec.Operation {
	var all Place
	for _, s := range group {
		all.Finding.Cases = append(all.Finding.Cases, s.cases...)
	}
	return all.Operations()
}

// broken is the requirement that a sight shows broken.
func broken(s sight) spec.Requirement {
	r, _ := spec.TheLedger().Find(s.requirement())
	return r
}
