package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestHelp: the default of a flag stands in its help, where it does not stand behind its name; and each flag of the commands with many
// flags stands under a heading, so that a new one is given a place.
func TestHelp(t *testing.T) {
	parser, err := kong.New(&commands{}, kong.Vars{"version": "", "limiters": "", "phases": ""})
	if err != nil {
		t.Fatal(err)
	}
	flags := 0
	for _, command := range parser.Model.Leaves(false) {
		for _, flag := range command.Flags {
			flags++
			if flag.HasDefault && flag.PlaceHolder != "" && !strings.Contains(flag.Help, "Default: ") {
				t.Errorf("%s --%s: the help does not tell the default, %s", command.Path(), flag.Name, flag.Default)
			}
			if flag.Group == nil && slices.Contains([]string{"check", "load", "signoff"}, command.Name) {
				t.Errorf("%s --%s has no group", command.Name, flag.Name)
			}
		}
	}
	if flags < 50 {
		t.Errorf("%d flags were looked at; more are wanted", flags)
	}
}
