// Command petconform tests whether a pet adoption service conforms to its interface, and writes a report that a release
// can be signed on. Exit codes: 0 conforms, 1 deviates, 2 wrong usage or configuration, 3 no verdict.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/terminal"
	"petconform/load/record"
	"petconform/spec/verdict"
)

func main() {
	ctx, stop := interruptible(os.Exit)
	code := newApp(os.Stdout, os.Stderr).commandLine(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// commands declares the command line for kong.
type commands struct {
	Check        checkCommand   `cmd:"" help:"Check whether a service conforms to the interface. Without --target, check the built-in reference service."`
	Load         loadCommand    `cmd:"" help:"Test each plan's rate limit: 429, Retry-After, backoff and recovery."`
	Signoff      signoffCommand `cmd:"" help:"Run check and load, and write the release report and its bundle."`
	Verify       verifyCommand  `cmd:"" help:"Verify a bundle: its digests, signatures, verdict and report."`
	Report       reportCommand  `cmd:"" help:"Write the report of one run again, or one report of several runs."`
	Diff         diffCommand    `cmd:"" help:"Compare two runs."`
	Open         openCommand    `cmd:"" help:"Show the report of a run in the browser."`
	Judge        judgeCommand   `cmd:"" help:"Judge a recording again, without sending anything."`
	Client       clientCommand  `cmd:"" help:"Judge a client: run the reference service, and check whether the requests of the client conform to the interface."`
	Serve        serveCommand   `cmd:"" help:"Run the reference service, to develop a client against."`
	List         listCommand    `cmd:"" help:"List requirements, checks, plans, deviations and more."`
	Explain      explainCommand `cmd:"" help:"Explain a requirement, check, rule, deviation or freedom."`
	PrintVersion versionCommand `cmd:"" name:"version" help:"Print the version, the commit and its date."`

	Config  string           `help:"YAML file of flags, one a line, like max-creates: 20. Default: petconform.yaml, if it exists." placeholder:"FILE"`
	Version kong.VersionFlag `help:"Print the version and exit."`
}

// commandLine runs the command line and returns its exit code.
func (a *app) commandLine(ctx context.Context, args []string) (code int) {
	ctx, a.end = context.WithCancelCause(ctx)
	defer func() {
		f := a.fault.Load()
		if v := recover(); v != nil {
			f = &fault{v, string(debug.Stack())}
		}
		if f != nil {
			code = printFault(a.err, f, a.recordings())
		}
		if err := errors.Join(a.closeFolders(), a.out.Failed()); err != nil {
			code = a.printError(noVerdict(err))
		}
		a.end(nil)
	}()
	log.SetOutput(io.Discard) // net/http quotes there what a target sends unasked, which may be a key
	if err := emptyArgument(args); err != nil {
		return a.printError(err)
	}
	if _, err := os.Getwd(); err != nil { // Ginkgo would end the process with 1, which means that the target deviates
		return a.printError(usage("the working directory is gone or cannot be read (%w); change to another", err))
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:len(args):len(args)], "--help")
	}
	return a.parsed(ctx, args)
}

// parsed parses the command line and runs the command.
func (a *app) parsed(ctx context.Context, args []string) int {
	var c commands
	file, ended := settings{}, -1 // --help and --version end the program when they have printed
	parser, err := a.newParser(&c, file, kong.BindTo(ctx, (*context.Context)(nil)), kong.Exit(func(code int) { ended = code }))
	switch {
	case err != nil:
		return a.printError(err)
	case len(args) == 0: // not 0: a script whose variable for the command is not set would be green
		return failWithHelp(parser)
	}
	parsed, err := parser.Parse(args)
	a.hide() // the flags may have named further secrets
	if ended >= 0 {
		return ended
	}
	if f := (failed{}); errors.As(err, &f) {
		return a.printError(f)
	} else if err != nil {
		return a.printError(usage("%w (see %s --help)", file.placed(errors.New(wrongArguments(err))), commandOf(err)))
	}
	boundMemory(parsed.Selected().Name)
	return a.printError(file.placed(parsed.Run(ctx, a)))
}

// newParser makes the parser of the command line.
func (a *app) newParser(c *commands, file settings, more ...kong.Option) (*kong.Kong, error) {
	return kong.New(c, append([]kong.Option{kong.Name("petconform"), kong.Description(description), kong.UsageOnError(),
		kong.Writers(a.out, a.err), kong.Vars{"version": thisBuild(), "limiters": limiters(), "phases": phases()},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: terminal.Width(a.out)}),
		kong.Bind(a), kong.Bind(file)}, more...)...)
}

// failWithHelp prints the help and returns the exit code of wrong usage.
func failWithHelp(parser *kong.Kong) int {
	if parsed, err := kong.Trace(parser, nil); err == nil {
		_ = parsed.PrintUsage(false)
	}
	return verdict.ExitUsage
}

// commandOf returns the command whose arguments are wrong, as far as kong recognised it.
func commandOf(err error) string {
	var wrong *kong.ParseError
	if errors.As(err, &wrong) && wrong.Context != nil && wrong.Context.Selected() != nil {
		return wrong.Context.Selected().FullPath()
	}
	return "petconform"
}

// wrongArguments rewrites kong's errors about a flag without a value and about a file that does not exist.
func wrongArguments(err error) string {
	text := err.Error()
	if flag, _, found := strings.Cut(text, `: expected `); found && strings.HasSuffix(text, `but got "EOL" (<EOL>)`) {
		return flag + " needs a value"
	}
	var missing *fs.PathError
	if errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist) {
		return missing.Path + " does not exist"
	}
	return text
}

// boundMemory tells the Go runtime how much memory a command may use.
func boundMemory(command string) {
	switch command {
	case "load", "signoff":
		debug.SetGCPercent(record.GCPercent)
	case "serve": // it holds many animals
	default:
		debug.SetMemoryLimit(memoryGoal)
	}
}

// memoryGoal is the soft memory limit of the Go runtime, in bytes. With it a run stays below 256 MiB, whatever the
// target sends.
const memoryGoal = 160 << 20

const description = "Tests whether a pet adoption service conforms to its interface.\n\n" +
	"The target's key comes from PETCONFORM_KEY or --key-file. " +
	"Exit codes: 0 conforms, or waivers excuse what does not; 1 deviates; 2 wrong usage or configuration; 3 no verdict. " +
	"Whatever the target sends, check uses at most 256 MiB of memory and 64 MiB on disk, " +
	"and takes at most 90 s plus --max-wait (5 min) plus 6 s for each response that it judges."

// signals end a run in order: the recording gets its last line, and a report is written. SIGHUP comes when a terminal
// closes.
var signals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// sameSignal is how soon after the first signal another one is the same: timeout(1) sends one to the process and one to
// its group.
const sameSignal = time.Second

// interruptible returns a context that the first interrupt ends. The second one calls end, whatever the process does
// then. Restoring the default action of the signal would not do: Ginkgo listens too, and takes the second interrupt for
// itself.
func interruptible(end func(code int)) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, signals...)
	go func() {
		<-heard // NotifyContext hears it too
		for first := time.Now(); time.Since(first) < sameSignal; {
			<-heard
		}
		fmt.Fprintln(os.Stderr, "petconform: ended by the second signal; there is no verdict")
		end(verdict.ExitNoVerdict)
	}()
	return ctx, func() {
		signal.Stop(heard)
		stop()
	}
}

// emptyArgument refuses an argument or a flag whose value is empty. Most likely a variable is not set, and petconform
// would check the built-in reference service instead of the user's service, compare with no earlier run, or verify no
// signature, and exit with 0.
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
