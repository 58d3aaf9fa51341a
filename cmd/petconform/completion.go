package main

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"
	"github.com/posener/complete"

	"petconform/conformance/checks"
	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/rules"
)

// completes answers a shell that asks for completions, and reports whether one asked. A shell that runs the line of "petconform
// completion" sets COMP_LINE to what was typed so far. It passes no arguments, or the three of bash: the command as typed, the
// word, and the word before it. Any other command line is executed: otherwise it would exit with 0 because the variable happens
// to be set.
func completes(parser *kong.Kong, args []string) (bool, error) {
	typed := strings.Fields(os.Getenv("COMP_LINE"))
	if len(typed) == 0 || len(args) > 0 && (len(args) != 3 || args[0] != typed[0]) {
		return false, nil
	}
	root, err := kongcompletion.Command(parser, kongcompletion.WithPredictors(predictors()))
	if err != nil {
		return false, err
	}
	withFiles(parser.Model.Node, root)
	answer := complete.New(parser.Model.Name, root)
	answer.Out = parser.Stdout
	return answer.Complete(), nil
}

// predictors are the names behind the predictor tags of the commands.
func predictors() map[string]complete.Predictor {
	var active, ids, plans, deviations, freedoms []string
	for _, c := range checks.All() {
		active = append(active, c.ID)
	}
	for _, r := range spec.TheLedger().Requirements {
		ids = append(ids, string(r.ID))
	}
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
	}
	for _, p := range spec.Plans() {
		plans = append(plans, p.Name)
	}
	for _, d := range reference.Deviations() {
		deviations = append(deviations, d.Name)
	}
	for _, f := range reference.Freedoms() {
		freedoms = append(freedoms, f.Name)
	}
	selectable := slices.Concat(ids, active)
	return map[string]complete.Predictor{
		"file": complete.PredictFiles("*"), "check": complete.PredictSet(active...), "plan": complete.PredictSet(plans...),
		"deviation": complete.PredictSet(deviations...), "freedom": complete.PredictSet(freedoms...),
		"selectable": complete.PredictSet(selectable...), "id": complete.PredictSet(slices.Concat(selectable, deviations, freedoms)...),
	}
}

// withFiles completes file names for each flag and argument that takes a file or a folder: those that help shows as FILE or DIR.
func withFiles(node *kong.Node, c complete.Command) {
	takesPath := func(v *kong.Value, placeholder string) bool {
		return placeholder == "FILE" || placeholder == "DIR" || strings.HasPrefix(v.Tag.Type, "existing")
	}
	for _, f := range node.Flags {
		if takesPath(f.Value, f.PlaceHolder) {
			c.GlobalFlags["--"+f.Name] = complete.PredictFiles("*")
		}
	}
	if args, ok := c.Args.(*kongcompletion.PositionalPredictor); ok {
		for i, a := range node.Positional {
			if takesPath(a, cmp.Or(a.Tag.PlaceHolder, strings.ToUpper(a.Name))) {
				args.Predictors[i] = complete.PredictFiles("*")
			}
		}
	}
	for _, child := range node.Children {
		if sub, ok := c.Sub[child.Name]; ok {
			withFiles(child, sub)
		}
	}
}
