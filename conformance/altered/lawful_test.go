package altered

import (
	"slices"
	"strings"

	"petconform/spec"
)

// Rule explains why an alteration breaks nothing.
type Rule struct {
	Name string
	// Class is Lawful or Unseen.
	Class Class
	Why   string

	of func(c Case) bool
}

// Rules lists every explanation, in the order in which they are tried.
func Rules() []Rule { return slices.Concat(formsLawful, answersLawful, unseen) }

func (c Case) is(kinds ...Kind) bool         { return slices.Contains(kinds, c.Kind) }
func (c Case) at(parts ...Part) bool         { return slices.Contains(parts, c.Part) }
func (c Case) of(names ...string) bool       { return slices.Contains(names, c.Of) }
func (c Case) on(ops ...spec.Operation) bool { return slices.Contains(ops, c.Was.Operation) }
func (c Case) rateHeader() bool              { return c.Part == Header && strings.HasPrefix(c.Of, "X-Ratelimit-") }
func (c Case) how(words ...string) bool      { return slices.Contains(words, c.How) }
