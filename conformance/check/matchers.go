package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/onsi/gomega/types"

	"petconform/spec"
	"petconform/spec/history"
)

// Matcher is a Gomega matcher for a [history.Exchange] that returns Expected and Actual as values, for reports.
type Matcher interface {
	types.GomegaMatcher
	Expected() string
	Actual(x history.Exchange) string
}

// matcher makes a Matcher of three functions.
type matcher struct {
	matches  func(history.Exchange) bool
	expected string
	actual   func(history.Exchange) string
}

func (m matcher) Expected() string                 { return m.expected }
func (m matcher) Actual(x history.Exchange) string { return m.actual(x) }

// Match implements [types.GomegaMatcher].
func (m matcher) Match(actual any) (bool, error) {
	x, ok := actual.(history.Exchange)
	if !ok {
		return false, fmt.Errorf("want a history.Exchange, not %T", actual)
	}
	return m.matches(x), nil
}

// FailureMessage implements [types.GomegaMatcher].
func (m matcher) FailureMessage(actual any) string {
	return fmt.Sprintf("Expected: %s\nActual:   %s", m.expected, m.actual(actual.(history.Exchange)))
}

// NegatedFailureMessage implements [types.GomegaMatcher].
func (m matcher) NegatedFailureMessage(actual any) string {
	return fmt.Sprintf("Expected: not %s\nActual:   %s", m.expected, m.actual(actual.(history.Exchange)))
}

// HaveStatus matches an exchange whose response has one of the statuses.
func HaveStatus(want ...int) Matcher {
	words := make([]string, len(want))
	for i, s := range want {
		words[i] = strconv.Itoa(s)
	}
	return matcher{
		matches:  func(x history.Exchange) bool { return slices.Contains(want, x.Status()) },
		expected: "status " + strings.Join(words, " or "),
		actual:   func(x history.Exchange) string { return fmt.Sprintf("status %d: %s", x.Status(), x.Excerpt()) },
	}
}

// ListAnimals matches a listing of n animals. because is the reason for n, for the report.
func ListAnimals(n int, because string) Matcher {
	return matcher{
		matches:  func(x history.Exchange) bool { return x.Len() == n },
		expected: spec.Count(n, "animal") + ", " + because,
		actual:   func(x history.Exchange) string { return spec.Count(x.Len(), "animal") },
	}
}

// ListAnimal matches a listing that has an animal with the id. because is why it is expected, for the report.
func ListAnimal(id, because string) Matcher {
	return matcher{
		matches:  func(x history.Exchange) bool { return Holds(x, id) },
		expected: fmt.Sprintf("animal %s, %s", id, because),
		actual:   func(x history.Exchange) string { return spec.Count(x.Len(), "animal") + " without it" },
	}
}

// That matches if ok, whatever the exchange is: for what is seen in several exchanges together.
func That(ok bool, expected, actual string) Matcher {
	return matcher{func(history.Exchange) bool { return ok }, expected, func(history.Exchange) string { return actual }}
}

// Holds reports whether a listing has an animal with the id.
func Holds(x history.Exchange, id string) bool {
	pets, _ := x.Pets()
	return slices.ContainsFunc(pets, func(p history.Pet) bool { return p.ID == id })
}
