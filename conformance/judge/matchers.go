package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/onsi/gomega/types"

	"petconform/spec/history"
)

// Matcher is a Gomega matcher for a [history.Exchange] that returns Expected and Actual as values, for reports.
type Matcher interface {
	types.GomegaMatcher
	Expected() string
	Actual(x history.Exchange) string
}

// HaveStatus matches an exchange whose response has one of the statuses.
func HaveStatus(want ...int) Matcher { return haveStatus(want) }

type haveStatus []int

func (want haveStatus) Expected() string {
	words := make([]string, len(want))
	for i, s := range want {
		words[i] = strconv.Itoa(s)
	}
	return "status " + strings.Join(words, " or ")
}

func (want haveStatus) Actual(x history.Exchange) string {
	return fmt.Sprintf("status %d: %s", x.Status(), x.Excerpt())
}

// Match implements [types.GomegaMatcher].
func (want haveStatus) Match(actual any) (bool, error) {
	x, ok := actual.(history.Exchange)
	if !ok {
		return false, fmt.Errorf("want a history.Exchange, not %T", actual)
	}
	return slices.Contains(want, x.Status()), nil
}

// FailureMessage implements [types.GomegaMatcher].
func (want haveStatus) FailureMessage(actual any) string {
	return fmt.Sprintf("Expected: %s\nActual:   %s", want.Expected(), want.Actual(actual.(history.Exchange)))
}

// NegatedFailureMessage implements [types.GomegaMatcher].
func (want haveStatus) NegatedFailureMessage(actual any) string {
	return fmt.Sprintf("Expected: not %s\nActual:   %s", want.Expected(), want.Actual(actual.(history.Exchange)))
}
