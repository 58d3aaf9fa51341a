package rules

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

var getPetRules = []Rule{
	One("fetched-is-the-pet", "getPet returns the requested Pet", "GET-2", func(x history.Exchange) bool {
		return x.Operation == spec.GetPet && x.Answered() && x.Status() == http.StatusOK && !unreadable(x)
	}, "the 200 to {request}", "a Pet object with the requested id, name and categoryId", func(x history.Exchange) string {
		if p, _ := x.Pet(); isPet(x) && p.ID != "" && !sameID(x.PetID(), p.ID) {
			return "the id " + p.ID
		}
		return Unless(isPet, bodyKind)(x)
	}),
	One("deprecation-headers", "Deprecation and Sunset agree with the removal date", "GET-4",
		func(x history.Exchange) bool {
			return x.Operation == spec.GetPet && x.Response != nil && field(x, "Sunset")+field(x, "Deprecation") != ""
		},
		"Deprecation and Sunset", "5 December 2030 in any time zone as Sunset, and a date not after it as Deprecation", wrongDate),
	observed("deprecation-announced", "Whether headers announce the deprecation", deprecationAnnounced, "GET-7"),
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

// wrongDate accepts a Deprecation of any date until the removal, and the word true of a draft of RFC 9745. The operation is
// deprecated today, so a date after its removal contradicts the interface, and so does "false".
func wrongDate(x history.Exchange) string {
	for _, name := range []string{"Sunset", "Deprecation"} {
		for _, v := range x.Response.Header.Values(name) {
			v = strings.TrimSpace(v)
			at, dated := headerDate(v)
			early := name == "Sunset" && at.Before(removalEarliest)
			word := v == "" || name == "Deprecation" && (strings.EqualFold(v, "true") || v == "?1")
			if !word && (!dated || early || at.After(removalLatest)) {
				return name + ": " + clip(v)
			}
		}
	}
	return ""
}

// headerDate reads the date of a header in any form that names a day. The interface shows the day of the removal and no
// header, so the form is open: an HTTP date (RFC 8594), @ and Unix seconds (RFC 9745), or an ISO date with or without a
// time.
func headerDate(field string) (at time.Time, dated bool) {
	if unix, is := strings.CutPrefix(field, "@"); is {
		unix, _, _ = strings.Cut(unix, ";")
		seconds, err := strconv.ParseInt(unix, 10, 64)
		return time.Unix(seconds, 0), err == nil && max(seconds, -seconds) < 1e15
	}
	at, err := http.ParseTime(field)
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if err != nil {
			at, err = time.Parse(form, strings.Trim(field, `"`))
		}
	}
	return at, err == nil
}

func deprecationAnnounced(h *history.History) (seen []verdict.Observation) {
	for _, name := range []string{"Deprecation", "Sunset"} {
		value := ""
		for _, x := range h.All {
			if x.Operation == spec.GetPet && x.Status() == http.StatusOK {
				value = cmp.Or(clip(x.Response.Header.Get(name)), value, "not sent")
			}
		}
		if value != "" {
			seen = append(seen, verdict.Observation{Requirement: "GET-7", Key: name, Value: value})
		}
	}
	return seen
}
