package cause

import (
	"regexp"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/verdict"
)

// A service writes each Pet and each body in one place, and reads numbers in one way.

// toMissing makes one cause of what rules find wrong in Pets that lack the same member, in whichever responses.
func toMissing(all []sight) {
	lacks := map[string]kind{}
	for i, s := range slices.Backward(all) { // the last is about the Pet, the first may be about a filter
		if len(s.cases) == 0 || s.check.Kind != verdict.Passive || !strings.HasPrefix(s.cases[0].Actual, "no ") {
			continue
		}
		what := s.cases[0].Actual
		if slices.ContainsFunc(s.cases, func(c verdict.Case) bool { return c.Actual != what }) {
			continue
		}
		if of, known := lacks[what]; known {
			all[i].kind, all[i].follows = of, true
		} else {
			lacks[what] = s.kind
		}
	}
}

var (
	fraction = regexp.MustCompile(`^the number -?\d*\.`)
	rounded  = regexp.MustCompile(`^the number -?(\d{19}|[\d.]+[eE])`)
)

// toNumbers handles a store of floating-point numbers. The fractions that it shows follow from createPet's accepting
// them, and the largest int64, rounded to 2^63, from its rounding others.
func toNumbers(all []sight) {
	for _, of := range all {
		shows := rounded
		switch {
		case of.kind == taken && of.requirement() == "CREATE-9":
			shows = fraction
		case !slices.Contains(ofStore, of.requirement()) || !strings.Contains(of.finding.Expected, "9007199254740993"):
			continue
		}
		for i, s := range all {
			other := func(c verdict.Case) bool { return !shows.MatchString(c.Actual) }
			if s.requirement() == "PET-3" && len(s.cases) > 0 && !slices.ContainsFunc(s.cases, other) {
				all[i].kind, all[i].follows = of.kind, true
			}
		}
	}
}

// toEncoder makes one cause of the successes and the Errors that declare the same wrong media type, or are not JSON for
// the same reason, since one place in the service writes both. A page in the place of an Error is written elsewhere, by
// the framework.
func toEncoder(all []sight) {
	declared := map[string]kind{}
	for _, s := range all {
		for _, c := range s.cases {
			why, _, found := strings.Cut(c.Actual, " at start of value: ")
			switch {
			case s.requirement() == "SERVICE-1":
				declared[c.Actual+": {"] = s.kind // an object follows the media type of an Error
			case s.requirement() == "SERVICE-2" && found:
				declared[why] = s.kind
			}
		}
	}
	for i, s := range all {
		for mediaType, of := range declared {
			other := func(c verdict.Case) bool { return !strings.HasPrefix(c.Actual, mediaType) }
			if slices.Contains([]spec.ID{"ERROR-1", "ERROR-2"}, s.requirement()) && len(s.cases) > 0 && !slices.ContainsFunc(s.cases, other) {
				all[i].kind, all[i].follows = of, true
			}
		}
	}
}
