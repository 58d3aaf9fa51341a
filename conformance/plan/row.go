// Package plan says what a run sends, as data: rows of requests, grouped into checks and sent in phases. It sends
// nothing and judges nothing.
package plan

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// Check is a group of rows that prove one requirement, with what they need.
type Check struct {
	// ID names the check in results and on the command line. It never changes.
	ID, Title string
	Operation spec.Operation
	// Proves is the requirement that the check exists for: if the check is inconclusive, so is the requirement. It is
	// empty for a check whose responses only rules judge. Also lists the others that its findings and observations may
	// name.
	Proves spec.ID
	Also   []spec.ID
	// Needs lists the checks that are sent too where the check is.
	Needs []string
	// Animals says that it is one of those that create animals of each kind, which the name Animals selects.
	Animals bool
	// Generated says that its requests are rows of other checks, in a random order.
	Generated bool
	// Idle says why the check sends nothing, where it has nothing to send.
	Idle string
	// In is the phase of the rows.
	In   Phase
	Rows []Row
	// More returns rows that depend on what is known. Each is like Like, with a step of its own.
	More func(*State) []Row
	Like Row
}

// Requirements returns every requirement that findings and observations of the check may name, Proves first.
func (c Check) Requirements() []spec.ID {
	if c.Proves == "" {
		return []spec.ID{}
	}
	return append([]spec.ID{c.Proves}, c.Also...)
}

// Names reports whether findings of the check may name a requirement.
func (c Check) Names(id spec.ID) bool { return slices.Contains(c.Requirements(), id) }

// Writes reports whether a read-only run leaves the check out, since a service could create an animal.
func (c Check) Writes() bool { return c.Operation == spec.CreatePet }

// All returns every check, in the order of the interface.
func All() []Check { return slices.Clone(all) }

// IDs returns the id of every check, in the same order.
func IDs() (ids []string) {
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	return ids
}

var all = slices.Concat(listChecks, createChecks, getChecks, authChecks, otherChecks)

// Row is one request of a check, with what its response has to be.
type Row struct {
	// Step names the row in its check. It never changes.
	Step string
	// Method is GET if it is empty. Path is relative to the base address. Path and Body may hold the values that
	// State.Call fills in.
	Method, Path, Body string
	// Auth is the credential; empty means the key. Header replaces the usual headers; one without a value is not sent. A
	// name is sent in the case that it has here, and Authorization in that of User-Agent.
	Auth   exchange.Auth
	Header http.Header
	// Breaks is the requirement that a status other than Want breaks. Want is nil where the status is open, or where it
	// depends on what the store has.
	Breaks spec.ID
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
	// Apart are rows with one of the odd things of this one each. They are sent where this one fails.
	Apart []Row
}

// Writes reports whether a row can create an animal, wanted or not.
func (r Row) Writes() bool { return r.Method == http.MethodPost }

// Creates reports whether a row is to create an animal, or may.
func (r Row) Creates() bool {
	return r.Writes() && (len(r.Want) == 0 || slices.Contains(r.Want, http.StatusCreated))
}

// Fails reports whether a response has a status that the row does not want.
func (r Row) Fails(status int) bool {
	return len(r.Want) > 0 && status != 0 && !slices.Contains(r.Want, status)
}

// Phase is a stretch of a run. A phase is sent when the one before has ended, since order is meaning.
type Phase int

// The phases, in order.
const (
	// Found lists the store as it is, one request after the other.
	Found Phase = iota + 1
	// Statuses creates an animal with each status, one after the other, and asks for one that is yet to be created.
	Statuses
	// Refused sends the first body of each kind that has to be refused, and createPet without a valid key, before
	// accepted ones use up the budget of creations.
	Refused
	// Valid creates animals side by side.
	Valid
	// RefusedMore sends the other bodies that have to be refused, and those that are open.
	RefusedMore
	// Filling creates what the store lacks of 21 animals.
	Filling
	// Reads lists and fetches.
	Reads
	// Keyless sends reads without a valid key, after those with it, whose responses a cache may keep.
	Keyless
	// TakenApart sends the odd things of rows that failed, one by one.
	TakenApart
	// Created looks at all that was created, and at what refused requests may have left. Afterwards the run asks again
	// what disagrees.
	Created
	// Opening sends what the interface leaves open.
	Opening
	// Ending sends what may break the service for good.
	Ending
)

// InTurn reports whether the rows of a phase are sent one after the other.
func (p Phase) InTurn() bool { return p == Found || p == Statuses || p == TakenApart || p == Ending }

// State is what a run knows when a phase begins.
type State struct {
	*history.History
	// Unlisted are the ids next to those of the run's animals that no listing had room to show; see model.Unlisted.
	Unlisted []string
	// Word returns what a word stands for in a generated sequence. It is nil elsewhere.
	Word func(word string) (value string, is bool)
}

// Requests returns what the checks send in a phase. The rows of a check are spread among those of the others, so that
// each requirement has its first before the budget of creations is used up. Where the order counts, it is that of the
// tables.
func (s *State) Requests(checks []Check, p Phase, full bool) []Request {
	var rounds [][]Request // the first rows of all checks, the second ones, and so on
	for _, c := range checks {
		if q, known := spec.TheLedger().Find(c.Proves); known && !q.Applies(s.Meta.AsOf) {
			continue
		}
		rows := c.Rows
		if c.More != nil && c.In == p {
			rows = slices.Concat(rows, c.More(s))
		}
		n := 0
		for _, r := range rows {
			if cmp.Or(r.In, c.In) != p || r.Full && !full {
				continue
			}
			if n == len(rounds) {
				rounds = append(rounds, nil)
			}
			if rounds[n] = append(rounds[n], Request{c.ID, r}); !p.InTurn() {
				n++
			}
		}
	}
	return slices.Concat(rounds...)
}

func list(step, query string) Row {
	r := Row{Step: step, Path: strings.TrimSuffix("/pets?"+query, "?"), Breaks: "LIST-1", Want: []int{http.StatusOK}}
	switch {
	case strings.Contains(query, "status="):
		r.Breaks = "LIST-6"
	case strings.Contains(query, "limit="):
		r.Breaks = "LIST-3"
	}
	return r
}

// get is a getPet. What it has to return depends on the animals that exist.
func get(step, id string) Row { return Row{Step: step, Path: "/pets/" + id} }

func post(step, body string, breaks spec.ID, want ...int) Row {
	return Row{Step: step, Method: http.MethodPost, Path: "/pets", Body: body, Breaks: breaks, Want: want}
}

// pet is a createPet with a valid NewPet. An empty status is not sent.
func pet(step, name, category string, status spec.PetStatus) Row {
	body := `{"name":` + name + `,"categoryId":` + category
	if status != "" {
		body += `,"status":"` + string(status) + `"`
	}
	return post(step, body+"}", "CREATE-1", http.StatusCreated)
}

// What is set after a row is made.

func (r Row) as(a exchange.Auth) Row          { r.Auth = a; return r }
func (r Row) in(p Phase) Row                  { r.In = p; return r }
func (r Row) full() Row                       { r.Full = true; return r }
func (r Row) spare() Row                      { r.Spare = true; return r }
func (r Row) lenient() Row                    { r.Lenient = true; return r }
func (r Row) unless(row string) Row           { r.Unless = row; return r }
func (r Row) apart(all ...Row) Row            { r.Apart = all; return r }
func (r Row) asks(id spec.ID, key string) Row { r.Asks, r.About = id, key; return r }

// open leaves the status to an observation.
func (r Row) open(id spec.ID, key string) Row {
	r.Breaks, r.Want = "", nil
	return r.asks(id, key)
}

func (r Row) breaks(id spec.ID, want ...int) Row {
	r.Breaks = id
	if len(want) > 0 {
		r.Want = want
	}
	return r
}

// with sets headers: a name and a value each. A header without a value is not sent.
func (r Row) with(fields ...string) Row {
	h := http.Header{}
	maps.Copy(h, r.Header)
	for i := 0; i < len(fields); i += 2 {
		if h[fields[i]] = nil; fields[i+1] != "" {
			h[fields[i]] = []string{fields[i+1]}
		}
	}
	r.Header = h
	return r
}
