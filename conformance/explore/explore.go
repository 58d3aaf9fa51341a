// Package explore sends generated sequences of requests.
package explore

import (
	"fmt"

	"petconform/conformance/judge"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

const CheckID = judge.ExploreID

type Card struct {
	Findings  []verdict.Finding
	Shortest  bool
	Exchanges []history.Exchange
	Script    string
}

func Cards(*history.History) []Card { return nil }

func ScriptName(i int) string { return fmt.Sprintf("explore-%d.sh", i+1) }

func (c Card) Shows([]spec.ID) bool { return false }

func (c Card) String() string { return "" }
