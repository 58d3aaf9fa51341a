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

// targetFlags say what is tested, and with which key.
type targetFlags struct {
	Target  string        `help:"Base address of the service, ending in /v1. Default: the built-in reference service." env:"PETCONFORM_TARGET" placeholder:"URL"`
	KeyFile string        `help:"File that holds the API key. Without it, PETCONFORM_KEY holds the key." placeholder:"FILE"`
	CACert  string        `name:"ca-cert" help:"PEM file with the certificates to trust, beside the system's." placeholder:"FILE"`
	Timeout time.Duration `help:"Time that one exchange may take." default:"30s"`
	MaxWait time.Duration `help:"Longest single wait for the target's allowance." default:"5m"`

	// own is the reference service that several parts of one command test, instead of a target.
	own *ownTarget
}

// ownTarget is the reference service with keys of its own, by the variables that would hold a target's.
type ownTarget struct {
	base *url.URL
	keys map[string]exchange.Secret
}

// target is a service to test.
type target struct {
	base      *url.URL
	key       exchange.Secret
	transport http.RoundTripper
	reference bool
	close     func()
}

// emptyTarget refuses a target that is given and empty. Most likely a variable is not set, and the built-in reference service
// would be judged in the place of the service that was meant.
func emptyTarget(parsed *kong.Context) error {
	for _, flag := range parsed.Flags() {
		if flag.Name == "target" && flag.Set && flag.Target.String() == "" {
			return usage("the target is empty: --target or PETCONFORM_TARGET is given without an address; is the variable that should hold it set?")
		}
	}
	return nil
}

// open finds the target and its key; without a target it starts the reference service, on loopback.
func (f targetFlags) open(ctx context.Context) (target, error) {
	if f.Timeout <= 0 || f.MaxWait <= 0 {
		return target{}, usage("--timeout %s and --max-wait %s: times above 0 are wanted", f.Timeout, f.MaxWait)
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
		return target{}, usage("no API key: put it into PETCONFORM_KEY, or into a file and name that with --key-file")
	}
	transport, err := f.transport()
	if err != nil {
		return target{}, err
	}
	return target{base: base, key: key, transport: transport, close: func() {}}, nil
}

// key reads a key from --key-file, or else from an environment variable.
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
			return key, usage("%s is empty; the API key is wanted in it", from)
		}
	}
	if err := key.Validate(); err != nil {
		return key, usage("%s: %w", from, err)
	}
	return key, nil
}

// withoutFile leaves --key-file out, for a key that only the environment gives.
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
		return nil, usage("--ca-cert %s: no certificate in PEM form is in it", f.CACert)
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
		return nil, nil, noVerdict(fmt.Errorf("the reference service needs a port on 127.0.0.1: %w", errors.Join(err, service.Close())))
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
		_ = errors.Join(<-done, service.Close()) // the verdict is in by now
	}, nil
}

// words splits a repeatable flag's values at commas and drops empty ones.
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
