package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"slices"

	"github.com/alecthomas/kong"

	"petconform/load"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// targetFlags name the service under test and its key.
type targetFlags struct {
	Target  string `help:"Base address of the service, ending in /v1. Default: the built-in reference service." env:"PETCONFORM_TARGET" placeholder:"URL"`
	Address string `arg:"" optional:"" name:"url" help:"The same as --target."`
	KeyFile string `help:"File with the API key. Default: the key in PETCONFORM_KEY." placeholder:"FILE" repeat:""`
	Timeout span   `help:"Maximum time for one request and its response." default:"30s"`
	MaxWait span   `help:"Maximum length of one wait for the target's allowance and, in check, of all outages together. Default: 5m, and 30s for outages of a target on this machine; in load, 10 of the target's minutes." placeholder:"TIME"`

	reachFlags

	// flags are those that a later run against the same target needs too.
	flags []exchange.Flag
}

// The environment variables that name the target and have its keys.
const (
	targetVariable   = "PETCONFORM_TARGET"
	keyVariable      = "PETCONFORM_KEY"
	otherKeyVariable = "PETCONFORM_KEY_OTHER"
	banKeyVariable   = "PETCONFORM_KEY_BAN"
)

// AfterApply takes the target from the argument, which wins over the environment and a file as a flag does.
func (f *targetFlags) AfterApply(ctx *kong.Context, a *app) error {
	flagged := slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag != nil && p.Flag.Name == "target" && !p.Resolved })
	if f.Address != "" && flagged && f.Address != f.Target {
		return fmt.Errorf("two targets are given, %s and --target %s", f.Address, f.Target)
	}
	f.Target = cmp.Or(f.Address, f.Target)
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
	a.hide()
	return nil
}

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
	if f.Target != "" {
		base, err := client.ParseBase(f.Target)
		if err != nil {
			return nil, usage("%w", err)
		}
		t := &target{base: base, flags: f.flags, close: func() {}}
		return t, f.reach(a, t)
	}
	if !reflect.DeepEqual(f.reachFlags, reachFlags{}) {
		return nil, usage("flags like --header, --cert and --wait-ready say how to reach a target, and none is given: name one with " +
			"--target, or leave them out to check the built-in reference service")
	}
	return a.openOwn(ctx, cfg, plans)
}

// key reads a key from --key-file if that is given and has this key, else from an environment variable.
func (f targetFlags) key(a *app, t *target, variable string) (exchange.Secret, error) {
	if t.own != nil {
		return t.own[variable], nil
	}
	key, from := exchange.NewSecret(os.Getenv(variable)), variable
	if f.KeyFile != "" && variable != otherKeyVariable && variable != banKeyVariable {
		data, err := readFile("--key-file", f.KeyFile) // a pipe like <(…) gives its key once, and some commands read it again
		if err != nil {
			return key, usage("%w; a key that is not in a file can come from %s", err, from)
		}
		if key, from = exchange.NewSecret(string(data)), "--key-file "+f.KeyFile; key.IsZero() {
			return key, usage("%s: the file is empty; put the API key into it", from)
		}
	}
	if err := key.Validate(); err != nil {
		return key, usage("%s: %w", from, err)
	}
	a.hide(key)
	return key, nil
}

// begun returns what a command knows of its run before it begins.
func (f targetFlags) begun(kind string) verdict.Results {
	r := verdict.Results{Kind: kind, Target: verdict.Target{Reference: f.Target == ""}}
	if base, err := client.ParseBase(f.Target); err == nil { // another address may have a password
		r.Target.URL = base.String()
	}
	return r
}

// flagsToRepeat returns the flags with the tag repeat that the command line or a file sets: those that a later run against
// the same target, or of the same client, needs too. None of them has a secret.
func flagsToRepeat(ctx *kong.Context) (flags []exchange.Flag) {
	for _, flag := range ctx.Flags() {
		given := slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag == flag })
		if !given || !flag.Tag.Has("repeat") || flag.Target.IsZero() {
			continue
		}
		values, many := flag.Target.Interface().([]string)
		if !many {
			values = []string{fmt.Sprint(flag.Target.Interface())}
		}
		for _, v := range values {
			switch {
			case flag.Name == "header":
				v = headerToRepeat(v)
			case flag.IsBool():
				v = ""
			}
			flags = append(flags, exchange.Flag{Name: flag.Name, Value: v})
		}
	}
	return flags
}

// refuseKeys returns an error if a key is in a text about the target that goes into the recording: the address, the
// flags, or texts for the report.
func (f targetFlags) refuseKeys(a *app, texts ...string) error {
	for _, flag := range f.flags {
		texts = append(texts, flag.Value)
	}
	if slices.ContainsFunc(append(texts, f.Target), func(text string) bool { return a.keys().Found([]byte(text)) }) {
		return usage("an API key, or the value of a header, is in the target's address or in a flag that is copied into the report, like --build; remove it")
	}
	return nil
}
