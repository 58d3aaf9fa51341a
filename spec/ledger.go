package spec

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"sync"
	"text/template"
	"time"

	"go.yaml.in/yaml/v3"
)

// ID names a requirement. It never changes once published, and is never reused.
type ID string

// Level says how binding a statement is.
type Level string

const (
	// Must: the interface says so. A broken must makes the run deviate.
	Must Level = "must"
	// Should: an HTTP or JSON standard, or good sense, says so. A broken should makes the run deviate only with
	// --strict.
	Should Level = "should"
	// Open: the interface says "not shown". The behaviour is observed and never fails.
	Open Level = "open"
)

// Proof says how a statement is proved.
type Proof string

const (
	ByCheck Proof = "check" // a check sends requests for it
	ByRule  Proof = "rule"  // a rule reads every exchange for it
	// ByNet: the rule openapi-document finds what no other rule finds. A deviation that this rule alone finds is a gap
	// in the other rules, so the reference service has no such deviation.
	ByNet    Proof = "net"
	ByLoad   Proof = "load"   // a load run is needed
	ByClient Proof = "client" // the reference service judges its clients for it
	ByTwo    Proof = "two"    // runs of two targets are compared (petconform diff)
	// ByNothing: the requirement cannot be tested from outside. Requirement.Why says why.
	ByNothing Proof = "none"
)

// Beyond reports whether a run against a single target cannot decide the requirement.
func (p Proof) Beyond() bool { return p == ByTwo || p == ByNothing }

// Requirement is one statement of the interface.
type Requirement struct {
	ID        ID     `yaml:"id" json:"id"`
	Clause    string `yaml:"clause" json:"clause"` // the heading of the interface's section with the statement
	Statement string `yaml:"statement" json:"statement"`
	// Title says in a few words what is wrong where the statement is broken. Occasion says which requests a statement
	// on a status is about: "for a body without a name".
	Title      string      `yaml:"title" json:"title,omitempty"`
	Occasion   string      `yaml:"occasion" json:"occasion,omitempty"`
	Effect     string      `yaml:"effect" json:"effect,omitempty"` // what clients suffer where the statement is broken
	Hint       string      `yaml:"hint" json:"hint,omitempty"`     // what usually breaks it, and what mends that
	Level      Level       `yaml:"level" json:"level"`
	Operations []Operation `yaml:"operations" json:"operations,omitempty"`
	Proof      Proof       `yaml:"proof" json:"proof"`
	// Flag is what petconform load needs to prove the requirement, and Topic what is not tested without that.
	Flag  string `yaml:"flag" json:"flag,omitempty"`
	Topic string `yaml:"topic" json:"topic,omitempty"`
	// Samples are the checks whose responses a rule reads in a run of the requirement alone.
	Samples []string `yaml:"samples" json:"samples,omitempty"`
	// Follows are the requirements that break this one too; Repeats are those that do so in the same response, Carries
	// those that do so by the same value.
	Follows []ID `yaml:"follows" json:"follows,omitempty"`
	Repeats []ID `yaml:"repeats" json:"repeats,omitempty"`
	Carries []ID `yaml:"carries" json:"carries,omitempty"`
	// Why is the source of a should, the risk of an open question for a client, or the reason why there is no proof.
	Why string `yaml:"why" json:"why,omitempty"`
	// From is the first day (UTC) on which the statement applies, Until the first on which it no longer does. The zero
	// day is no bound.
	Until Date `yaml:"until" json:"until,omitzero"`
	From  Date `yaml:"from" json:"from,omitzero"`
}

func (r Requirement) Applies(asOf time.Time) bool {
	return (r.Until.IsZero() || asOf.Before(r.Until.Time)) && !asOf.Before(r.From.Time)
}

// Date is a day in UTC, written 2006-01-02.
type Date struct{ time.Time }

func (d *Date) UnmarshalYAML(node *yaml.Node) error {
	t, err := time.Parse(time.DateOnly, node.Value)
	if err != nil {
		return fmt.Errorf("line %d: %q is not a day; use one like 2030-12-05", node.Line, node.Value)
	}
	d.Time = t
	return nil
}

// LedgerYAML is the embedded ledger.yaml.
//
//go:embed ledger.yaml
var LedgerYAML []byte

// LedgerDigest is the SHA-256 of LedgerYAML, in hexadecimal.
var LedgerDigest = sync.OnceValue(func() string { return fmt.Sprintf("%x", sha256.Sum256(LedgerYAML)) })

// Ledger is every statement of the interface, in the ledger's order.
type Ledger struct {
	Requirements []Requirement `yaml:"requirements"` // those of a service
	Clients      []Requirement `yaml:"clients"`      // what the interface asks of the clients of a service
	byID         map[ID]Requirement
}

// TheLedger returns the embedded ledger. It panics if that is not YAML, which is a defect of the build. A test says what
// else each requirement needs.
var TheLedger = sync.OnceValue(func() *Ledger {
	l := &Ledger{byID: map[ID]Requirement{}}
	if err := yaml.Unmarshal(LedgerYAML, l); err != nil {
		panic(fmt.Sprintf("the embedded ledger: %v", err))
	}
	for _, r := range slices.Concat(l.Requirements, l.Clients) {
		l.byID[r.ID] = r
	}
	return l
})

// Place returns the position of a requirement of a service, from 0. One that the ledger does not have comes before all
// others.
func (l *Ledger) Place(id ID) int {
	return slices.IndexFunc(l.Requirements, func(r Requirement) bool { return r.ID == id })
}

// Effect is what clients suffer where the requirement with the id is broken; "" if the ledger does not say.
func (l *Ledger) Effect(id ID) string { return l.byID[id].Effect }

// Find returns the requirement with the id, of a service or of a client.
func (l *Ledger) Find(id ID) (Requirement, bool) {
	r, ok := l.byID[id]
	return r, ok
}

//go:embed readme.md.tmpl
var readme string

// WriteMarkdown writes every requirement of the ledger under its clause, as a page. spec/README.md is this page.
func WriteMarkdown(w io.Writer) error {
	page := template.New("README").Funcs(template.FuncMap{"clauses": clausesOf})
	return template.Must(page.Parse(readme)).Execute(w, map[string]any{"Version": InterfaceVersion, "Ledger": TheLedger()})
}

// clausesOf groups requirements by their clause, in the order of their first ones.
func clausesOf(all []Requirement) (clauses [][]Requirement) {
	for _, r := range all {
		i := slices.IndexFunc(clauses, func(c []Requirement) bool { return c[0].Clause == r.Clause })
		if i < 0 {
			i, clauses = len(clauses), append(clauses, nil)
		}
		clauses[i] = append(clauses[i], r)
	}
	return clauses
}
