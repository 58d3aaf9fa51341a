package conformance

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/onsi/gomega/types"

	"petconform/spec/history"
)

// Every matcher here tells a failure as these two lines, so that a card can set Expected beside Actual.
const (
	expectedMark = "Expected: "
	actualMark   = "\nActual:   "
)

func told(expected, actual string) string { return expectedMark + expected + actualMark + actual }

// HaveStatus matches an exchange that was answered with one of the statuses.
func HaveStatus(want ...int) types.GomegaMatcher { return statusMatcher(want) }

type statusMatcher []int

func (m statusMatcher) Match(actual any) (bool, error) {
	x, ok := actual.(history.Exchange)
	if !ok {
		return false, fmt.Errorf("HaveStatus wants an exchange, not %T", actual)
	}
	return slices.Contains(m, x.Status()), nil
}

func (m statusMatcher) FailureMessage(actual any) string {
	x := actual.(history.Exchange)
	words := make([]string, len(m))
	for i, s := range m {
		words[i] = fmt.Sprintf("%d", s)
	}
	return told("status "+strings.Join(words, " or "), fmt.Sprintf("status %d: %s", x.Status(), Excerpt(x)))
}

func (m statusMatcher) NegatedFailureMessage(actual any) string {
	return told(fmt.Sprintf("another status than %v", []int(m)), fmt.Sprintf("status %d", actual.(history.Exchange).Status()))
}

// HoldAnimals matches a listing with that many animals.
func HoldAnimals(n int, because string) types.GomegaMatcher { return lengthMatcher{n, because} }

type lengthMatcher struct {
	n       int
	because string
}

func (m lengthMatcher) Match(actual any) (bool, error) {
	x, ok := actual.(history.Exchange)
	if !ok {
		return false, fmt.Errorf("HoldAnimals wants an exchange, not %T", actual)
	}
	return x.Len() == m.n, nil
}

func (m lengthMatcher) FailureMessage(actual any) string {
	return told(fmt.Sprintf("%d animals, %s", m.n, m.because), fmt.Sprintf("%d animals", actual.(history.Exchange).Len()))
}

func (m lengthMatcher) NegatedFailureMessage(any) string {
	return told(fmt.Sprintf("another number than %d", m.n), fmt.Sprintf("%d animals", m.n))
}

// holds says whether an animal with the id stands in a listing.
func holds(x history.Exchange, id string) bool {
	pets, _ := x.Pets()
	return slices.ContainsFunc(pets, func(p history.Pet) bool { return p.ID == id })
}

// Excerpt is the beginning of a response's body, fit to be printed.
func Excerpt(x history.Exchange) string {
	if x.Response == nil {
		return "no response"
	}
	if len(x.Response.Body) == 0 {
		return "an empty body"
	}
	const most = 200
	s := strings.ToValidUTF8(string(x.Response.Body[:min(len(x.Response.Body), 4*most)]), "\uFFFD")
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return strings.Join(strings.Fields(s), " ")
}
