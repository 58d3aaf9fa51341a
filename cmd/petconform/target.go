package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"

	"github.com/alecthomas/kong"

	"petconform/load"
	"petconform/spec/bounded"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// targetFlags name the service under test and its key.
type targetFlags struct {
	Target  string `help:"Base address of the service, ending in /v1. Default: the built-in reference service." env:"PETCONFORM_TARGET" placeholder:"URL"`
	Address string `arg:"" optional:"" name:"url" help:"The same as --target."`
	KeyFile string `help:"File with the API key. Default: the key in PETCONFORM_KEY." placeholder:"FILE" repeat:""`
	Timeout span   `help:"Maximum time for one request and its response." default:"30s"`
	MaxWait span   `help:"Maximum length of one wait for the target's allowance and, in check, of all outages together. Default: 5m; in load, 10 of the target's minutes." placeholder:"TIME"`

	reachFlags

	// flags are those that a later run against the same target needs too.
	flags []exchange.Flag
}

// targetVariable is the environment variable that names the target.
const targetVariable = "PETCONFORM_TARGET"

// The environment variables that have the keys of a target.
const (
	keyVariable      = "PETCONFORM_KEY"
	otherKeyVariable = "PETCONFORM_KEY_OTHER"
	banKeyVariable   = "PETCONFORM_KEY_BAN"
)

// AfterApply takes the target from the argument, which wins over the environment and a file as a flag does.
func (f *targetFlags) AfterApply(ctx *kong.Context, a *app) error {
	flagged := slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag != nil && p.Flag.Name == "target" && !p.Resolved })
	switch {
	case f.Address == "":
	case flagged && f.Address != f.Target:
		return fmt.Errorf("two targets are given, %s and --target %s", f.Address, f.Target)
	default:
		f.Target = f.Address
	}
	a.variables = append(a.variables, variablesIn(f.Header...)...)
	f.flags = flagsToRepeat(ctx)
	return a.knowTarget(f.Target)
}

// knowTarget keeps the address as no secret. It refuses an empty PETCONFORM_TARGET, unless a flag or an argument names
// the target.
func (a *app) knowTarget(address string) error {
	if _, set := os.LookupEnv(targetVariable); set && address == "" {
		return usage("the target is empty: %s has no address; is the variable set that should have it?", targetVariable)
	}
	a.addresses = append(a.addresses, address)
	return nil
}

// target is the service under test.
type target struct {
	base *url.URL
	// connect makes a transport of its own.
	connect func() http.RoundTripper
	// secrets are the values that the transport adds to requests, which no file may contain.
	secrets []exchange.Secret
	// way has phrases that say how the target is reached, for the report.
	way []string
	// flags are those that a command line needs to reach the target again.
	flags []exchange.Flag
	// own are the keys of the built-in reference service by their variable; nil for another target.
	own   map[string]exchange.Secret
	close func()
}

// open opens the target. If none is given, that is the built-in reference service, with a key for each of plans.
func (f targetFlags) open(ctx context.Context, a *app, cfg reference.Config, plans []load.PlanKey) (*target, error) {
	if f.Target == "" {
		if err := f.refuseAlone(); err != nil {
			return nil, err
		}
		return a.openOwn(ctx, cfg, plans)
	}
	base, err := client.ParseBase(f.Target)
	if err != nil {
		return nil, usage("%w", err)
	}
	t := &target{base: base, flags: f.flags, close: func() {}}
	return t, f.reach(a, t)
}

// key reads a key from --key-file if that is given and has this key, else from an environment variable.
func (f targetFlags) key(t *target, variable string) (exchange.Secret, error) {
	if t.own != nil {
		return t.own[variable], nil
	}
	from := variable
	key := exchange.NewSecret(os.Getenv(from))
	if f.KeyFile != "" && variable != otherKeyVariable && variable != banKeyVariable {
		data, err := bounded.ReadFile(f.KeyFile, bounded.Small) // a pipe like <(…) gives its key once, and some commands read it again
		if err != nil {
			return key, usage("--key-file: %w; a key that is not in a file can come from %s", err, from)
		}
		key, from = exchange.NewSecret(string(data)), "--key-file "+f.KeyFile
		if key.IsZero() {
			return key, usage("%s: the file is empty; put the API key into it", from)
		}
	}
	if err := key.Validate(); err != nil {
		return key, usage("%s: %w", from, err)
	}
	return key, nil
}

// mainKey is the key of a target that has to have one.
func (f targetFlags) mainKey(t *target) (exchange.Secret, error) {
	key, err := f.key(t, keyVariable)
	if err != nil || !key.IsZero() {
		return key, err
	}
	return key, usage("no API key is given: put the key into %s, or into a file that --key-file names", keyVariable)
}
