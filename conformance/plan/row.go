// Package plan says what a run sends, as data: rows of requests, grouped into checks and sent in phases. It sends
// nothing and judges nothing.
package plan

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Row is one request of a check, with what its response has to be.
type Row struct {
	// Step names the row in its check. It never changes.
	Step string
	// Method is GET if it is empty. Path is relative to the base address. Path and Body may hold the values that
	// State.Call fills in.
	Method, Path, Body string
	// Auth is the credential; empty means the key. Header replaces the usual headers; one without a value is not sent.
	Auth   exchange.Auth
	Header http.Header
	// Proves is the requirement that a status other than Want breaks. Want is nil where the status is open, or where it
	// depends on what the store has.
	Proves spec.ID
	Want   []int
	// Unless names a row, as check/step, that differs from this one in one thing only. Where that one does not get the
	// status that it wants, this one shows nothing more.
	Unless string
	// Asks is the open question that the response answers, and About is the key of the observation.
	Asks  spec.ID
	About string
	// Lenient says that the interface does not show whether such a value is accepted; see tolerance.go.
	Lenient bool
	// Full rows are left out of a quick run, and Spare ones where the others have used up its requests.
	Full, Spare bool
	// In is the phase of the row, where it is not that of its check. Pause is the wait before it.
	In    Phase
	Pause time.Duration
	// Parts are rows with one of the odd things of this one each. They are sent where this one fails.
	Parts []Row
}

// Writes reports whether a row can create an animal, wanted or not.
func (r Row) Writes() bool { return r.Method == http.MethodPost }

// Fails reports whether a response has a status that the row does not want.
func (r Row) Fails(status int) bool {
	return len(r.Want) > 0 && status != 0 && !slices.Contains(r.Want, status)
}

// list is a listing that the interface allows.
func list(step, query string) Row {
	r := Row{Step: step, Path: strings.TrimSuffix("/pets?"+query, "?"), Proves: "LIST-1", Want: []int{http.StatusOK}}
	switch {
	case strings.Contains(query, "status="):
		r.Proves = "LIST-6"
	case strings.Contains(query, "limit="):
		r.Proves = "LIST-3"
	}
	return r
}

// get is a getPet. What it has to return depends on the animals that exist.
func get(step, id string) Row { return Row{Step: step, Path: "/pets/" + id} }

// post is a createPet with any body.
func post(step, body string, proves spec.ID, want ...int) Row {
	return Row{Step: step, Method: http.MethodPost, Path: "/pets", Body: body, Proves: proves, Want: want}
}

// pet is a createPet with a valid NewPet. An empty status is not sent.
func pet(step, name, category string, status spec.PetStatus) Row {
	body := `{"name":` + name + `,"categoryId":` + category
	if status != "" {
		body += `,"status":"` + string(status) + `"`
	}
	return post(step, body+"}", "CREATE-1", http.StatusCreated)
}

// The parts of a row that are set after it is made.

func (r Row) as(a exchange.Auth) Row          { r.Auth = a; return r }
func (r Row) in(p Phase) Row                  { r.In = p; return r }
func (r Row) full() Row                       { r.Full = true; return r }
func (r Row) spare() Row                      { r.Spare = true; return r }
func (r Row) lenient() Row                    { r.Lenient = true; return r }
func (r Row) unless(row string) Row           { r.Unless = row; return r }
func (r Row) parts(all ...Row) Row            { r.Parts = all; return r }
func (r Row) asks(id spec.ID, key string) Row { r.Asks, r.About = id, key; return r }

// open leaves the status to an observation.
func (r Row) open(id spec.ID, key string) Row {
	r.Proves, r.Want = "", nil
	return r.asks(id, key)
}

func (r Row) proves(id spec.ID, want ...int) Row {
	r.Proves = id
	if len(want) > 0 {
		r.Want = want
	}
	return r
}

// with sets headers: a name and a value each. A header without a value is not sent.
func (r Row) with(fields ...string) Row {
	h := http.Header{}
	for name, values := range r.Header {
		h[name] = values
	}
	for i := 0; i < len(fields); i += 2 {
		if h[fields[i]] = nil; fields[i+1] != "" {
			h[fields[i]] = []string{fields[i+1]}
		}
	}
	r.Header = h
	return r
}

// quoted is a JSON string.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always marshals
	return string(b)
}

// escaped is a JSON string with an escape for every character beyond ASCII, as many clients write it.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range quoted(s) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
