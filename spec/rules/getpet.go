package rules

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

func getPetRules() []Rule {
	return []Rule{
		{ID: "fetched-is-the-pet", Title: "getPet returns the requested Pet", Proves: []spec.ID{"GET-2"}, Each: fetchedIsThePet},
		{ID: "deprecation-headers", Title: "Deprecation and Sunset agree with the removal date",
			Proves: []spec.ID{"GET-4"}, Each: deprecationHeaders},
		{ID: "deprecation-announced", Title: "Whether headers announce the deprecation", Proves: []spec.ID{"GET-7"}, Observe: deprecationAnnounced},
	}
}

func fetchedIsThePet(x history.Exchange) Reading {
	if x.Operation != spec.GetPet || !x.Answered() || x.Status() != http.StatusOK || len(x.Response.Body) > 0 && x.Malformed != nil {
		return notConcerned
	}
	if r := aPet("GET-2", "the body of getPet's 200", x); len(r.Broken) > 0 {
		return r
	}
	p, _ := x.Pet()
	if asked := x.PetID(); p.ID != "" && !sameID(asked, p.ID) {
		return reading(broken("GET-2", "the id of the Pet that getPet returned", clip(asked)+", as requested", p.ID))
	}
	return reading()
}

// sameID reports whether a petId asks for the animal with an id. Of a number that is not written as an int64, such as 7.0
// or 007, the interface leaves open whether it is one; no text such as 7x is.
func sameID(petID, id string) bool {
	if want, err := strconv.ParseInt(petID, 10, 64); err == nil {
		return id == strconv.FormatInt(want, 10)
	}
	want, err := strconv.ParseFloat(strings.TrimSpace(petID), 64)
	shown, wrong := strconv.ParseFloat(id, 64)
	return err == nil && wrong == nil && want == shown
}

// The interface gives the day of the removal and no time zone. The day begins up to 14 hours before it does in UTC, and
// ends up to 12 hours after it does in UTC.
var (
	removalEarliest = spec.Removal.Add(-14 * time.Hour)
	removalLatest   = spec.Removal.Add(36 * time.Hour)
)

func deprecationHeaders(x history.Exchange) Reading {
	if x.Operation != spec.GetPet || x.Response == nil {
		return notConcerned
	}
	sunsets, deprecations := x.Response.Header.Values("Sunset"), x.Response.Header.Values("Deprecation")
	if strings.Join(sunsets, "") == "" && strings.Join(deprecations, "") == "" {
		return notConcerned
	}
	r := reading()
	for _, sunset := range sunsets {
		if sunset == "" {
			continue
		}
		at, dated := headerDate(sunset)
		if !dated {
			r.Broken = append(r.Broken, broken("GET-4", "Sunset", "5 December 2030, as an HTTP date (RFC 8594)", clip(sunset)))
		} else if at.Before(removalEarliest) || at.After(removalLatest) {
			r.Broken = append(r.Broken, broken("GET-4", "Sunset", "5 December 2030, in any time zone", clip(sunset)))
		}
	}
	for _, deprecation := range deprecations {
		if f, wrong := deprecationField(deprecation); wrong {
			r.Broken = append(r.Broken, f)
		}
	}
	return r
}

var structuredDate = regexp.MustCompile(`^@(-?\d{1,15})(;.*)?$`)

// headerDate reads the date of a header in any form that names a day. The interface shows the day of the removal and no
// header, so the form is open: an HTTP date (RFC 8594), @ and Unix seconds (RFC 9745), or an ISO date with or without a
// time.
func headerDate(field string) (time.Time, bool) {
	field = strings.TrimSpace(field)
	if m := structuredDate.FindStringSubmatch(field); m != nil {
		seconds, _ := strconv.ParseInt(m[1], 10, 64)
		return time.Unix(seconds, 0), true
	}
	if at, err := http.ParseTime(field); err == nil {
		return at, true
	}
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(form, strings.Trim(field, `"`)); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// deprecationField accepts a date, and the word true of a draft of RFC 9745. The operation is deprecated today, so a
// date after its removal contradicts the interface, and so does "false".
func deprecationField(field string) (verdict.Finding, bool) {
	const wanted = "a date as @ and Unix seconds (RFC 9745), not after 5 December 2030"
	field = strings.TrimSpace(field)
	if field == "" || strings.EqualFold(field, "true") || field == "?1" {
		return verdict.Finding{}, false
	}
	at, dated := headerDate(field)
	if !dated {
		return broken("GET-4", "Deprecation", wanted, clip(field)), true
	}
	if at.After(removalLatest) {
		return broken("GET-4", "Deprecation", wanted, fmt.Sprintf("%s (%s)", clip(field), at.UTC().Format(time.DateOnly))), true
	}
	return verdict.Finding{}, false
}

func deprecationAnnounced(h *history.History) []verdict.Observation {
	seen := false
	headers := map[string]string{"Deprecation": "not sent", "Sunset": "not sent"}
	for _, x := range h.All {
		if x.Operation != spec.GetPet || x.Status() != http.StatusOK {
			continue
		}
		seen = true
		for name := range headers {
			if v := x.Response.Header.Get(name); v != "" {
				headers[name] = clip(v)
			}
		}
	}
	if !seen {
		return nil
	}
	return []verdict.Observation{
		{Requirement: "GET-7", Key: "Deprecation", Value: headers["Deprecation"]},
		{Requirement: "GET-7", Key: "Sunset", Value: headers["Sunset"]},
	}
}
