package main

import (
	"strings"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/settings"
)

// emptyArgument refuses an argument or a flag whose value is empty. Most likely a variable is not set, and petconform would check the
// built-in reference service instead of the user's service, compare with no earlier run, or verify no signature, and exit with 0.
func emptyArgument(args []string) error {
	for i, arg := range args {
		name, value, assigned := strings.Cut(arg, "=")
		switch {
		case arg == "--" && i+1 == len(args):
			return usage("there is no command after --; is the variable set that should have it?")
		case arg == "--":
			return nil // what follows are the arguments of another program
		case arg == "" && i > 0 && isFlag(args[i-1]):
			return usage("the argument after %s is empty; is the variable set that should have it?", args[i-1])
		case arg == "":
			return usage("argument %d of the command line is empty; is the variable set that should have it?", i+1)
		case isFlag(name) && assigned && value == "":
			return usage("%s is empty; is the variable set that should have its value?", name)
		}
	}
	return nil
}

func isFlag(arg string) bool { return strings.HasPrefix(arg, "--") && !strings.Contains(arg, "=") }

// emptyTarget refuses an empty PETCONFORM_TARGET, unless a flag or an argument names the target.
func emptyTarget(parsed *kong.Context) error {
	for _, flag := range parsed.Flags() {
		if flag.Name == "target" && flag.Set && flag.Target.String() == "" {
			return usage("the target is empty: %s has no address; is the variable set that should have it?", settings.TargetVariable)
		}
	}
	return nil
}
