package record

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Recording is a load run as it was sent. The judge reads nothing else.
type Recording struct {
	Meta     exchange.Meta
	Settings Settings
	Lanes    []Lane
	Records  []*Record
	Notes    []Note
	// End is nil if the run was killed.
	End *exchange.End
	// Torn says that the last line of the file is cut off and was left out.
	Torn bool
}

// Settings is the configuration of a load run.
type Settings struct {
	// Minute and Day are the lengths of the target's minute and day.
	Minute time.Duration `json:"minuteNs"`
	Day    time.Duration `json:"dayNs"`
	// ExpectLimits says that a plan without a 429 deviates.
	ExpectLimits bool `json:"expectLimits"`
	// Phases are the phases that were planned.
	Phases []Phase `json:"phases"`
	// Shard and Shards say which part of the keys this run had.
	Shard  int `json:"shard,omitempty"`
	Shards int `json:"shards,omitempty"`
}

// Has reports whether a phase was planned.
func (s *Settings) Has(p Phase) bool { return slices.Contains(s.Phases, p) }

// Lane is one key of the run with its plan.
type Lane struct {
	// Label names the key without its secret: the plan's name, or a line of the file of keys.
	Label string `json:"label"`
	Plan  string `json:"plan"`
	// PerMinute and PerDay are the plan's figures; PerDay 0 means that there is none.
	PerMinute int64 `json:"perMinute"`
	PerDay    int64 `json:"perDay"`
}

// Note says why a key did not run a phase, or broke it off.
type Note struct {
	Lane  int    `json:"lane"`
	Phase Phase  `json:"phase"`
	Why   string `json:"why"`
}

// StoreFull is the reason why the refused-create phase did not run on a target with many animals.
const StoreFull = "100 animals or more are pending, and a listing shows at most 100, " +
	"so it may not show an animal that a refused createPet created"

// Through reports whether the run was neither stopped nor killed and its recording is complete.
func (r *Recording) Through() bool { return r.End != nil && r.End.Stopped == "" && !r.Torn }

// CheckID returns the id of the check of a plan's phase, such as load-free-fill.
func CheckID(plan string, p Phase) string { return "load-" + slug(plan) + "-" + string(p) }

func slug(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return '-'
	}, strings.ToLower(s))
}

// Of returns the exchange of a record. Headers that no rule reads, such as a request id, are those of the first
// exchange that is alike.
func (r *Recording) Of(rec *Record) exchange.Exchange {
	x := *rec.Like
	x.N, x.Check, x.Auth = rec.N, CheckID(r.Lanes[rec.Lane].Plan, rec.Phase), exchange.Key
	x.Operation = spec.OperationOf(x.Request.Method, x.Request.Path)
	x.Sent, x.FirstByte, x.Done, x.Reused = r.Meta.Started.Add(rec.Sent), rec.FirstByte, rec.Done, rec.Reused
	x.Attempt, x.Step = 1, string(rec.Role)+" "+strconv.Itoa(rec.N)
	if rec.Other {
		x.Auth = exchange.OtherKey
	}
	if x.Response != nil {
		answer := *x.Response
		answer.Header = rec.changes.Of(answer.Header)
		x.Response = &answer
	}
	return x
}

// Phase is the id of a phase of a load run. Package load has a value for each that says what the phase proves, sends
// and costs, and what it shows.
type Phase string

// The phases that something refers to beside their value.
const (
	Headers       Phase = "read"
	Fill          Phase = "fill"
	Recover       Phase = "recover"
	Mixed         Phase = "mixed"
	Overload      Phase = "overload"
	Isolation     Phase = "isolation"
	RefusedCreate Phase = "refused-create"
	Day           Phase = "day"
	Ban           Phase = "ban"
)

// Role is the purpose of one request of a phase.
type Role string

const (
	// Look is a request to read the headers, with no other request in flight.
	Look Role = "look"
	// Spend is one of the requests that spend the allowance.
	Spend Role = "spend"
	// Steady is one of the requests that spend an allowance which is almost empty from the beginning.
	Steady Role = "steady"
	// Probe is the request that follows a 429 after its Retry-After.
	Probe Role = "probe"
	// AtReset is a request at the time in X-RateLimit-Reset, which may be before the end of Retry-After.
	AtReset Role = "at-reset"
	// Press is a request that is sent after a 429 without waiting, in the overload and the ban.
	Press Role = "press"
	// Control is a request with the other key before the overload, and Beside one during or after it.
	Control Role = "control"
	Beside  Role = "beside"
	// Search is a listing that is searched for an animal.
	Search Role = "search"
)
