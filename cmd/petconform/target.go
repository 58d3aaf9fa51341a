package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/settings"
	"petconform/spec"
	"petconform/spec/bounded"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// targetFlags name the service under test and its key.
type targetFlags struct {
	Target  string        `help:"Base address of the service, ending in /v1, or the name of a target in petconform.yaml. Default: the built-in reference service." env:"PETCONFORM_TARGET" placeholder:"URL"`
	Address string        `arg:"" optional:"" name:"url" help:"The same as --target."`
	KeyFile string        `help:"File with the API key. Default: the key in PETCONFORM_KEY." placeholder:"FILE"`
	Timeout time.Duration `help:"Maximum time for one request and its response." default:"30s"`
	MaxWait span          `help:"Maximum length of one wait for the target's allowance and, in check, of all outages together. Default: 5m; in load, 10 of the target's minutes." placeholder:"TIME"`

	reachFlags

	// named is the target of the file of settings that --target names; nil if it is an address.
	named *settings.Target
	// flags are those that a later run against the same target needs too.
	flags []exchange.Flag
	// compared is true for the second target of a comparison, which has its own key variable.
	compared bool
	// own is the reference service that the check and the load of a sign-off share when there is no target.
	own *ownTarget
}

// keyVariable is the environment variable that has the key of a target.
const keyVariable = "PETCONFORM_KEY"

// AfterApply takes the target from the argument, which wins over the environment as a flag does, and the address of a named one from
// the file of settings.
func (f *targetFlags) AfterApply(ctx *kong.Context, file *settings.File) error {
	switch {
	case f.Address == "" || f.Address == f.Target:
	case f.Target != "" && f.Target != os.Getenv(settings.TargetVariable):
		return fmt.Errorf("two targets are given, %s and --target %s", f.Address, f.Target)
	default:
		f.Target = f.Address
	}
	known.variables(settings.Variables(f.Header...)...)
	f.flags = flagsToRepeat(ctx, file, toRepeat)
	return f.find(file)
}

// find replaces the name of a target by its address.
func (f *targetFlags) find(file *settings.File) (err error) {
	if settings.IsName(f.Target) {
		if f.named, err = file.Named(f.Target); err != nil {
			return err
		}
		address, err := f.address().Expand(os.LookupEnv)
		if err != nil {
			return err
		}
		f.Target = address[0]
	}
	known.address(f.Target)
	return nil
}

// address is what the file of settings says of the address of a named target.
func (f targetFlags) address() settings.Setting {
	s, _ := f.named.Setting("target")
	return s
}

// variable returns the name of the variable that has a key: the usual one, unless the file of settings names another.
func (f targetFlags) variable(usual string) string {
	if f.named != nil {
		if s, ok := f.named.Setting(usual); ok {
			return s.Values[0]
		}
	}
	if f.compared && usual == keyVariable {
		return againstKey
	}
	return usual
}

// ownTarget is a reference service and its keys, by the name of the environment variable that has a target's key.
type ownTarget struct {
	base *url.URL
	keys map[string]exchange.Secret
}

// target is the service under test.
type target struct {
	base      *url.URL
	key       exchange.Secret
	transport http.RoundTripper
	reference bool
	// secrets, way and access are as in reached.
	secrets []exchange.Secret
	way     []string
	access  *exchange.Access
	close   func()
}

// open returns the target with its key. If no target is given, it starts the reference service on loopback.
func (f targetFlags) open(ctx context.Context) (target, error) {
	if f.Timeout <= 0 {
		return target{}, usage("--timeout is %s; use a time above 0", f.Timeout)
	}
	if f.Target == "" {
		if err := f.nothingToReach(); err != nil {
			return target{}, err
		}
	}
	if f.own != nil {
		return target{base: f.own.base, key: f.own.keys[keyVariable], transport: guarded{client.NewTransport(client.DefaultConnections)},
			reference: true, close: func() {}}, nil
	}
	if f.Target == "" {
		return ownReference(ctx)
	}
	r, err := f.reach()
	if err != nil {
		return target{}, err
	}
	key, err := f.key(keyVariable)
	if err != nil {
		return target{}, err
	}
	if key.IsZero() {
		return target{}, f.noKey()
	}
	return target{base: r.base, key: key, transport: r.connect(), secrets: r.secrets, way: r.way, access: r.access, close: func() {}}, nil
}

// reach returns how to reach the target, which is not the built-in reference service.
func (f targetFlags) reach() (reached, error) {
	base, err := client.ParseBase(f.Target)
	if err != nil {
		if f.named != nil {
			return reached{}, usage("%s: %w", f.address().Where, err)
		}
		return reached{}, usage("%w", err)
	}
	r, err := f.to(base)
	r.access = f.access()
	return r, err
}

// nothingToReach returns an error for flags that say how to reach a target if no target is given.
func (f targetFlags) nothingToReach() error {
	if names := f.given(); len(names) > 0 {
		return usage("%s says how to reach a target, and none is given: the built-in reference service runs in petconform itself", names[0])
	}
	return nil
}

// key reads a key from --key-file if that is given, else from an environment variable.
func (f targetFlags) key(variable string) (exchange.Secret, error) {
	if f.own != nil {
		return f.own.keys[variable], nil
	}
	from := f.variable(variable)
	key := exchange.NewSecret(os.Getenv(from))
	if f.KeyFile != "" {
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

// noKey returns an error that says where the key has to be. --key-file has the key of the first target only.
func (f targetFlags) noKey() error {
	if f.compared {
		return usage("no API key is given for --against: put the key into %s", f.variable(keyVariable))
	}
	return usage("no API key is given: put the key into %s, or into a file that --key-file names", f.variable(keyVariable))
}

// withoutFile returns f without --key-file, to read a key that only the environment has.
func (f targetFlags) withoutFile() targetFlags {
	f.KeyFile = ""
	return f
}

// ownReference starts the reference service with one key.
func ownReference(ctx context.Context) (target, error) {
	key := reference.RandomKey("petconform", spec.Business)
	base, stop, err := startReference(ctx, reference.Config{Keys: []reference.Key{key}})
	return target{base: base, key: key.Secret, transport: guarded{client.NewTransport(client.DefaultConnections)}, reference: true, close: stop}, err
}

// startReference starts the reference service on a free port of loopback.
func startReference(ctx context.Context, cfg reference.Config) (*url.URL, func(), error) {
	service, err := reference.New(cfg)
	if err != nil {
		return nil, nil, usage("the reference service: %w", err)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, noVerdict(fmt.Errorf("the reference service cannot listen on 127.0.0.1: %w", errors.Join(err, service.Close())))
	}
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan error, 1)
	go func() {
		var err error
		_ = safely(func() {
			stage("serving")
			err = service.Serve(serving, l)
		})
		done <- err
	}()
	return &url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/v1"}, func() {
		cancel()
		_ = errors.Join(<-done, service.Close()) // errors of the shutdown cannot change the verdict
	}, nil
}

// words splits the values of a repeatable flag at commas and drops empty words.
func words(values []string) []string {
	var out []string
	for _, v := range values {
		for _, w := range strings.Split(v, ",") {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}
