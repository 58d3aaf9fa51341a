package plan

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/spec"
	"petconform/spec/history"
)

// Tolerance says why a status that a row does not want is lawful after all.
type Tolerance struct {
	Reason string
	// Decides says that nothing else has to be known. Otherwise the row is inconclusive.
	Decides bool
}

// Tolerated returns the first tolerance that a refused createPet with a valid NewPet falls under. Each names the clause
// that leaves the refusal open. A server error falls under none, nor does a 401 or a 429, nor a 403 that is no quota.
func Tolerated(h *history.History, r Row, x history.Exchange) Tolerance {
	refused := x.Status()/100 == 4 && !slices.Contains([]int{401, 429}, x.Status()) || x.Status() == http.StatusInsufficientStorage
	if !r.Fails(x.Status()) || !slices.Contains(r.Want, http.StatusCreated) || !refused {
		return Tolerance{}
	}
	for _, t := range tolerances {
		if reason := t.reason(h, r, x); reason != "" && (x.Status() != http.StatusForbidden || t.forbids) {
			return Tolerance{reason, t.decides}
		}
	}
	return Tolerance{}
}

var tolerances = []struct {
	clause  string // that leaves it open
	decides bool
	forbids bool // a 403 may tell it
	reason  func(h *history.History, r Row, x history.Exchange) string
}{
	{"Other resources: what a category has beyond its identifier is not shown, so that one may have to exist", false, false, unknownCategory},
	{"Limits, 6: limits on the length of a field are not shown; Resources / NewPet: which categories exist is not shown", true, false, oddValue},
	{"Limits, 6: limits on the length of a field are not shown", true, false, oddLength},
	{"RFC 9112, section 6.1: no chunks are to be sent to a server that does not speak HTTP/1.1", true, false, oldProtocol},
	{"Limits: whether a store is full is not shown", false, true, quota},
}

// ofCategory begins the interface's words category, categories and categoryId. Where a listing shows the category, nothing
// else than the words of the Error (Errors: message) tells one that takes no more animals from a createPet that fails.
const ofCategory = "categor"

// unknownCategory: nothing was created, and the category may not exist on the target.
func unknownCategory(h *history.History, _ Row, x history.Exchange) string {
	category, known := h.Category()
	names := strings.Contains(strings.ToLower(string(x.Response.Body)), ofCategory)
	if len(h.Created()) > 0 || !x.IsJSON() || known && (h.Meta.CategoryID != 0 || !names) {
		return ""
	}
	return fmt.Sprintf("createPet returned %d, and category %d may not exist on the target; name one that exists with --category-id", x.Status(), category)
}

// oddValue: the row has a value that the interface does not say is accepted.
func oddValue(_ *history.History, r Row, x history.Exchange) string {
	if !r.Lenient {
		return ""
	}
	return fmt.Sprintf("refused with %d, as such a value may be", x.Status())
}

// oldProtocol: the body was sent in chunks, and the response is HTTP/1.0.
func oldProtocol(_ *history.History, _ Row, x history.Exchange) string {
	if x.Request.Header.Get("Transfer-Encoding") == "" || x.Response.Proto != "HTTP/1.0" {
		return ""
	}
	return fmt.Sprintf("refused with %d, and a server of HTTP/1.0 reads no chunks", x.Status())
}

// oddLength: the name is longer or shorter than every accepted one, in characters, bytes or UTF-16 code units.
func oddLength(h *history.History, _ Row, x history.Exchange) string {
	name := x.SentName()
	for _, length := range []func(string) int{utf8.RuneCountInString, func(s string) int { return len(s) },
		func(s string) int { return len(utf16.Encode([]rune(s))) }} {
		var accepted []int
		for _, c := range h.Created() {
			accepted = append(accepted, length(c.Sent.Name()))
		}
		if n := length(name); len(accepted) > 0 && (n > slices.Max(accepted) || n < slices.Min(accepted)) {
			return fmt.Sprintf("refused with %d, and its name is longer or shorter than every accepted name", x.Status())
		}
	}
	return ""
}

// quota: the target refuses animals from some time on, with a status for that, or a usual one too.
func quota(h *history.History, _ Row, x history.Exchange) string {
	all := h.Created()
	since := func(y history.Exchange) bool {
		return len(all) > 0 && (all[len(all)-1].Exchange.N < y.N || all[len(all)-1].Exchange.Sent.Before(y.Ended()))
	}
	full := slices.Contains([]int{http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusInsufficientStorage}, x.Status())
	if !since(x) || !full && !slices.ContainsFunc(h.All, func(y history.Exchange) bool {
		return y.Status() == x.Status() && since(y) && usual(y)
	}) {
		return ""
	}
	return fmt.Sprintf("createPet returned %d, and no later one succeeded, after %s had been created; the target may have a quota: delete animals, or lower --max-creates",
		x.Status(), spec.Count(len(all), "animal"))
}

// usual reports whether a request creates an animal without anything odd.
func usual(x history.Exchange) bool {
	row, known := RowOf(x.Check, x.Step)
	return known && row.Body == fill.Like.Body && row.Header == nil && row.Auth == ""
}
