package main

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestHelpTellsDefaults: the default of a flag stands in its help, where it does not stand behind its name.
func TestHelpTellsDefaults(t *testing.T) {
	var c commands
	parser, err := kong.New(&c, kong.Vars{"version": "", "limiters": ""})
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
		}
	}
	if flags < 50 {
		t.Errorf("%d flags were looked at; more are wanted", flags)
	}
}

// TestHelpGroups: each flag of the commands with many flags stands under a heading, so that a new one is given a place.
func TestHelpGroups(t *testing.T) {
	var c commands
	parser, err := kong.New(&c, kong.Vars{"version": "", "limiters": ""})
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range parser.Model.Leaves(false) {
		if name := command.Name; name != "check" && name != "load" && name != "signoff" {
			continue
		}
		for _, f := range command.Flags {
			if f.Group == nil {
				t.Errorf("%s --%s has no group", command.Name, f.Name)
			}
		}
	}
}
