package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// targetFlags name the service under test and its key.
type targetFlags struct {
	Target  string        `help:"Base address of the service, ending in /v1. Default: the built-in reference service." env:"PETCONFORM_TARGET" placeholder:"URL"`
	Address string        `arg:"" optional:"" name:"url" help:"The same as --target."`
	KeyFile string        `help:"File with the API key. Default: the key in PETCONFORM_KEY." placeholder:"FILE"`
	CACert  string        `name:"ca-cert" help:"PEM file of certificates to trust in addition to the system's." placeholder:"FILE"`
	Timeout time.Duration `help:"Maximum time for one request and its response." default:"30s"`
	MaxTime time.Duration `help:"Maximum time in which the target does not respond, in all; waits for the allowance do not count." default:"75s"`
	MaxWait span          `help:"Maximum length of one wait for the target's allowance (default 5m; of load, 10 of the target's minutes), and of an outage in check." placeholder:"TIME"`

	// own is the reference service that the check and the load of a sign-off share when there is no target.
	own *ownTarget
}

// targetVariable is the environment variable that names the target.
const targetVariable = "PETCONFORM_TARGET"

// AfterApply takes the target from the argument, which wins over the environment as a flag does.
func (f *targetFlags) AfterApply() error {
	switch {
	case f.Address == "" || f.Address == f.Target:
	case f.Target != "" && f.Target != os.Getenv(targetVariable):
		return fmt.Errorf("two targets are given, %s and --target %s", f.Address, f.Target)
	default:
		f.Target = f.Address
	}
	return nil
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
	close     func()
}

// emptyTarget refuses a target that is given and empty. Most likely a variable is not set, and petconform would check the built-in
// reference service instead of the user's service.
func emptyTarget(parsed *kong.Context) error {
	for _, flag := range parsed.Flags() {
		if flag.Name == "target" && flag.Set && flag.Target.String() == "" {
			return usage("the target is empty: --target or PETCONFORM_TARGET has no address; is the variable set that should have it?")
		}
	}
	return nil
}

// open returns the target with its key. Without a target it starts the reference service on loopback.
func (f targetFlags) open(ctx context.Context) (target, error) {
	if f.Timeout <= 0 || f.MaxTime <= 0 {
		return target{}, usage("--timeout is %s and --max-time is %s; use times above 0", f.Timeout, f.MaxTime)
	}
	if f.own != nil {
		return target{base: f.own.base, key: f.own.keys["PETCONFORM_KEY"], transport: guarded{client.NewTransport(client.DefaultConnections)},
			reference: true, close: func() {}}, nil
	}
	if f.Target == "" {
		return ownReference(ctx)
	}
	base, err := client.ParseBase(f.Target)
	if err != nil {
		return target{}, usage("%w", err)
	}
	key, err := f.key("PETCONFORM_KEY")
	if err != nil {
		return target{}, err
	}
	if key.IsZero() {
		return target{}, usage("no API key is given: put the key into PETCONFORM_KEY, or into a file that --key-file names")
	}
	transport, err := f.transport()
	if err != nil {
		return target{}, err
	}
	return target{base: base, key: key, transport: transport, close: func() {}}, nil
}

// key reads a key from --key-file if that is given, else from an environment variable.
func (f targetFlags) key(variable string) (exchange.Secret, error) {
	if f.own != nil {
		return f.own.keys[variable], nil
	}
	key := exchange.NewSecret(os.Getenv(variable))
	from := variable
	if f.KeyFile != "" {
		data, err := os.ReadFile(f.KeyFile)
		if err != nil {
			return key, usage("--key-file: %w", err)
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

// withoutFile returns f without --key-file, to read a key that only the environment has.
func (f targetFlags) withoutFile() targetFlags {
	f.KeyFile = ""
	return f
}

func (f targetFlags) transport() (http.RoundTripper, error) {
	if f.CACert == "" {
		return guarded{client.NewTransport(client.DefaultConnections)}, nil
	}
	pem, err := os.ReadFile(f.CACert)
	if err != nil {
		return nil, usage("--ca-cert: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, usage("--ca-cert %s: the file has no certificate in PEM form", f.CACert)
	}
	return guarded{client.NewTransport(client.DefaultConnections, client.WithTLS(&tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}))}, nil
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
		defer func() {
			if v := recover(); v != nil {
				inGoroutines.report(&fault{v, string(debug.Stack())})
				done <- nil
			}
		}()
		stage("serving")
		done <- service.Serve(serving, l)
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
