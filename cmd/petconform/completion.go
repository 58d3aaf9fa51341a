package main

import (
	"os"
	"strings"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"
	"github.com/posener/complete"
)

// completes answers a shell that asks for completions, and reports whether one asked. A shell that runs the line of
// "petconform completion" sets COMP_LINE to what was typed so far. It passes no arguments, or the three of bash: the
// command as typed, the word, and the word before it. Any other command line is executed: otherwise it would exit with
// 0 because the variable happens to be set.
func completes(parser *kong.Kong, args []string) (bool, error) {
	typed := strings.Fields(os.Getenv("COMP_LINE"))
	if len(typed) == 0 || len(args) > 0 && (len(args) != 3 || args[0] != typed[0]) {
		return false, nil
	}
	root, err := kongcompletion.Command(parser, kongcompletion.WithPredictors(predictors()))
	if err != nil {
		return false, err
	}
	answer := complete.New(parser.Model.Name, root)
	answer.Out = parser.Stdout
	return answer.Complete(), nil
}

// predictors are the names behind the predictor tags of the commands.
func predictors() map[string]complete.Predictor {
	all := map[string]complete.Predictor{"file": complete.PredictFiles("*")}
	for tag, lists := range map[string][]string{"check": {"checks"}, "plan": {"plans"}, "deviation": {"deviations"}, "freedom": {"freedoms"},
		"client": {"clients"}, "stack": {"stacks"}, "selectable": {"requirements", "rules", "checks"},
		"id": {"requirements", "clients", "rules", "checks", "deviations", "freedoms"}} {
		all[tag] = complete.PredictSet(idsIn(lists...)...)
	}
	return all
}
