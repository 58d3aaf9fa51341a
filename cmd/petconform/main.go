// Command petconform tests whether a pet adoption service conforms to its interface, and writes a report that a release
// can be signed on. Exit codes: 0 conforms, 1 deviates, 2 wrong usage or configuration, 3 no verdict.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/terminal"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference/limiter"
	"petconform/spec/verdict"
)

func main() {
	os.Exit(newApp(os.Stdout, os.Stderr).commandLine(interruptible(), os.Args[1:]))
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
	List         listCommand    `cmd:"" help:"List checks, requirements, rules, deviations and more."`
	Explain      explainCommand `cmd:"" help:"Explain a requirement, check, rule, deviation or freedom."`
	PrintVersion versionCommand `cmd:"" name:"version" help:"Print the version, the commit and its date."`

	Version kong.VersionFlag `help:"Print the version and exit."`
}

// app is one run of the command line, which kong hands to its commands.
type app struct {
	// out is for the result of a command, err for progress and errors.
	out, err *terminal.Output
	// lines says that a line a finding is wanted (--format line).
	lines bool
	// secrets are kept out of all that is printed and written. What they have in common with an address, or with
	// petconform's name, is no secret.
	secrets   []exchange.Secret
	addresses []string
	// told is what the report says of the build under test and its environment.
	told []string
	// folder is that of the run; nil if none is open. written says of its report that it is complete, and bundle where
	// the bundle of a sign-off is, or why there is none.
	folder          *reports.Folder
	written, bundle string
	// fault is the first panic of a goroutine, and end ends the command because of one.
	fault atomic.Pointer[fault]
	end   context.CancelCauseFunc
	// stage is called when a command begins a stage; a test causes panics by it.
	stage func(name string)
}

// newApp returns an app that knows the keys of the environment.
func newApp(out, err io.Writer) *app {
	a := &app{out: &terminal.Output{To: out, Name: "standard output"}, err: &terminal.Output{To: err, Name: "standard error"},
		addresses: []string{tool}, stage: func(string) {}}
	for _, v := range os.Environ() {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, keyVariable) {
			a.hide(exchange.NewSecret(value))
		}
	}
	return a
}

// hide keeps further secrets out of what is printed and written.
func (a *app) hide(secrets ...exchange.Secret) {
	a.secrets = append(a.secrets, secrets...)
	a.out.Keys, a.err.Keys = a.keys(), a.keys()
}

// keys returns a Redactor of every secret that is known by now.
func (a *app) keys() *exchange.Redactor {
	return exchange.NewRedactor(a.secrets...).Sparing(a.addresses...)
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
			code = a.printFault(f)
		}
		err := a.out.Failed()
		if a.folder != nil {
			err = errors.Join(a.folder.Close(), err)
		}
		if err != nil { // what could not be printed is no success
			code = a.printError(noVerdict(fmt.Errorf("%w%s", err, a.written)))
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

func (a *app) parsed(ctx context.Context, args []string) int {
	var c commands
	file, ended := settings{}, -1 // --help and --version end the program when they have printed
	parser, err := a.newParser(&c, file, kong.BindTo(ctx, (*context.Context)(nil)), kong.Exit(func(code int) { ended = code }))
	if err != nil {
		return a.printError(err)
	}
	none := len(args) == 0
	if none {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	var wrong *kong.ParseError
	switch {
	case none: // not 0: a script whose variable for the command is not set would be green
		return verdict.ExitUsage
	case ended >= 0:
		return ended
	case errors.As(err, &failed{}):
		return a.printError(err)
	case errors.As(err, &wrong):
		command := parser.Model.Name
		if wrong.Context.Selected() != nil {
			command = wrong.Context.Selected().FullPath()
		}
		return a.printError(usage("%w (see %s --help)", file.placed(plain(err)), command))
	}
	if !slices.Contains(unbounded, parsed.Selected().Name) {
		debug.SetMemoryLimit(memoryGoal)
	}
	return a.printError(file.placed(parsed.Run(ctx, a)))
}

// plain returns an error of kong in words that a reader expects: a list of choices has spaces, so that it can be wrapped.
func plain(err error) error {
	text := strings.ReplaceAll(err.Error(), `","`, `", "`)
	if flag, _, _ := strings.Cut(text, `: expected `); strings.HasSuffix(text, `but got "EOL" (<EOL>)`) {
		text = flag + " needs a value"
	}
	return errors.New(text)
}

func (a *app) newParser(c *commands, file settings, more ...kong.Option) (*kong.Kong, error) {
	return kong.New(c, append([]kong.Option{kong.Name("petconform"), kong.Description(description),
		kong.Writers(a.out, a.err), kong.Vars{"version": thisBuild, "limiters": spec.Join(limiter.Kinds(), ", "), "phases": phases()},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: a.out.Width()}),
		kong.Bind(a), kong.Bind(file)}, more...)...)
}

// unbounded are the commands without a memoryGoal: the recording of a load and the animals of serve may need more.
var unbounded = []string{"load", "signoff", "serve"}

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

// interruptible returns a context that the first signal ends. The second one ends the process, whatever it does then.
// Restoring the default action of the signal would not do: Ginkgo listens too, and takes the second interrupt for itself.
func interruptible() context.Context {
	ctx, _ := signal.NotifyContext(context.Background(), signals...) // until the process ends
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, signals...)
	go func() {
		<-heard // NotifyContext hears it too
		for first := time.Now(); time.Since(first) < sameSignal; {
			<-heard
		}
		fmt.Fprintln(os.Stderr, "petconform: ended by the second signal; there is no verdict")
		os.Exit(verdict.ExitNoVerdict)
	}()
	return ctx
}

// emptyArgument refuses an argument or a flag whose value is empty. Most likely a variable is not set, and petconform
// would check the built-in reference service instead of the user's service, compare with no earlier run, or verify no
// signature, and exit with 0.
func emptyArgument(args []string) error {
	before := "petconform"
	for i, arg := range args {
		name, value, assigned := strings.Cut(arg, "=")
		switch {
		case arg == "--" && i+1 == len(args):
			return usage("there is no command after --; is the variable set that should have it?")
		case arg == "--":
			return nil // what follows are the arguments of another program
		case arg == "":
			return usage("the argument after %s is empty; is the variable set that should have it?", before)
		case strings.HasPrefix(name, "--") && assigned && value == "":
			return usage("%s is empty; is the variable set that should have its value?", name)
		}
		before = arg
	}
	return nil
}
