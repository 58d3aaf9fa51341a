package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"petconform/cmd/petconform/settings"
	"petconform/spec/bounded"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

// reachFlags say how a target is reached, apart from its address.
type reachFlags struct {
	Header    []string `help:"Header to add to every request, like 'X-Tenant: blue', or 'X-Gate: $${GATE}' with the value of a variable, in single quotes. The value is never printed or written to a file." placeholder:"HEADER" sep:"none"`
	CACert    string   `name:"ca-cert" help:"PEM file of certificates to trust in addition to the system's." placeholder:"FILE" predictor:"file"`
	Cert      string   `help:"PEM file of the client certificate, for a target that asks for one." placeholder:"FILE" predictor:"file"`
	CertKey   string   `name:"cert-key" help:"PEM file of the key of --cert. Default: the file of --cert." placeholder:"FILE" predictor:"file"`
	Resolve   []string `help:"Connect to this address instead of the host's own, like host:443:10.0.0.7. The Host header and TLS keep the host's name." placeholder:"HOST:PORT:ADDRESS" sep:"none"`
	WaitReady span     `help:"Wait up to this time until the service answers." placeholder:"TIME"`
}

// reached is a target that can be connected to.
type reached struct {
	base *url.URL
	// connect makes a transport of its own.
	connect func() http.RoundTripper
	// secrets are the values that the transport adds to requests, which no file may contain.
	secrets []exchange.Secret
	// way has phrases that say how the target is reached, for the report.
	way []string
	// access is what a command line needs to reach the target again; nil if that is its address alone.
	access *exchange.Access
}

// refuseAlone returns an error if a flag says how to reach a target, and there is none.
func (f reachFlags) refuseAlone() error {
	var flag string
	switch {
	case len(f.Header) > 0:
		flag = "--header"
	case f.CACert != "":
		flag = "--ca-cert"
	case f.Cert != "":
		flag = "--cert"
	case f.CertKey != "":
		flag = "--cert-key"
	case len(f.Resolve) > 0:
		flag = "--resolve"
	case f.WaitReady > 0:
		flag = "--wait-ready"
	default:
		return nil
	}
	return usage("%s says how to reach a target, and none is given: name one with --target, or leave the flag out to check the built-in reference service", flag)
}

// to reads the files and variables that the flags name, for a target at base. It returns an error for a flag that cannot work.
func (f reachFlags) to(base *url.URL) (reached, error) {
	r := reached{base: base}
	header, secrets, err := settings.Headers(f.Header, os.LookupEnv)
	if err != nil {
		return r, usage("--header: %w", err)
	}
	r.secrets = secrets
	if names := slices.Sorted(maps.Keys(header)); len(names) > 0 {
		r.way = append(r.way, "with the header "+strings.Join(names, " and the header "))
	}
	tlsConfig, err := f.tls(&r)
	if err != nil {
		return r, err
	}
	proxied, err := r.proxy()
	if err != nil {
		return r, err
	}
	at, err := f.resolved(&r, proxied)
	if err != nil {
		return r, err
	}
	options := []client.TransportOption{client.WithResolve(at)}
	if tlsConfig != nil {
		options = append(options, client.WithTLS(tlsConfig))
	}
	r.connect = func() http.RoundTripper {
		return guarded{client.WithHeaders(client.NewTransport(client.DefaultConnections, options...), header)}
	}
	return r, nil
}

// tls makes the configuration of TLS; nil where the usual one does.
func (f reachFlags) tls(r *reached) (*tls.Config, error) {
	switch {
	case f.CertKey != "" && f.Cert == "":
		return nil, usage("--cert-key has the key of a certificate; name the certificate with --cert")
	case f.CACert == "" && f.Cert == "":
		return nil, nil
	case r.base.Scheme == "http":
		name := "--ca-cert"
		if f.Cert != "" {
			name = "--cert"
		}
		return nil, usage("%s needs TLS, and the target %s has none; use an address with https://", name, r.base)
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if f.CACert != "" {
		data, err := bounded.ReadFile(f.CACert, bounded.Small)
		if err != nil {
			return nil, usage("--ca-cert: %w", err)
		}
		if cfg.RootCAs, err = x509.SystemCertPool(); err != nil {
			cfg.RootCAs = x509.NewCertPool()
		}
		if !cfg.RootCAs.AppendCertsFromPEM(data) {
			return nil, usage("--ca-cert %s: the file has no certificate in PEM form", f.CACert)
		}
	}
	if f.Cert != "" {
		own, err := f.certificate(time.Now())
		if err != nil {
			return nil, err
		}
		cfg.Certificates = []tls.Certificate{own}
		r.way = append(r.way, "with the client certificate "+cmp.Or(own.Leaf.Subject.String(), own.Leaf.SerialNumber.String()))
	}
	return cfg, nil
}

// certificate reads the client certificate and its key.
func (f reachFlags) certificate(now time.Time) (tls.Certificate, error) {
	keyFile := cmp.Or(f.CertKey, f.Cert)
	cert, err := bounded.ReadFile(f.Cert, bounded.Small)
	if err != nil {
		return tls.Certificate{}, usage("--cert: %w", err)
	}
	key, err := bounded.ReadFile(keyFile, bounded.Small)
	if err != nil {
		return tls.Certificate{}, usage("--cert-key: %w", err)
	}
	if bytes.Contains(key, []byte("ENCRYPTED")) { // BEGIN ENCRYPTED PRIVATE KEY, or Proc-Type: 4,ENCRYPTED
		return tls.Certificate{}, usage("--cert-key %s: the key is encrypted; petconform asks for no passphrase, so name a file with the key decrypted", keyFile)
	}
	own, err := tls.X509KeyPair(cert, key)
	switch {
	case err != nil:
		return own, usage("--cert %s with the key of %s: %s", f.Cert, keyFile, strings.TrimPrefix(err.Error(), "tls: "))
	case now.After(own.Leaf.NotAfter):
		return own, usage("--cert %s: the certificate expired on %s", f.Cert, own.Leaf.NotAfter.UTC().Format(time.DateOnly))
	case now.Before(own.Leaf.NotBefore):
		return own, usage("--cert %s: the certificate is valid from %s on", f.Cert, own.Leaf.NotBefore.UTC().Format(time.DateOnly))
	}
	return own, nil
}

// proxy reports whether requests go through a proxy of the environment.
func (r *reached) proxy() (bool, error) {
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: r.base})
	if err != nil {
		return false, usage("the proxy of the environment, HTTP_PROXY or HTTPS_PROXY, is not an address like http://proxy.example:3128")
	}
	if proxy == nil {
		return false, nil
	}
	if password, has := proxy.User.Password(); has {
		r.secrets = append(r.secrets, exchange.NewSecret(password))
	}
	r.way = append(r.way, fmt.Sprintf("through the proxy %s://%s", proxy.Scheme, proxy.Host))
	return true, nil
}

// hostPort is the address to connect to.
func hostPort(u *url.URL) string {
	return net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]))
}

// resolved reads --resolve: the address to connect to, by the host and port of the target.
func (f reachFlags) resolved(r *reached, proxied bool) (map[string]string, error) {
	host := hostPort(r.base)
	at := map[string]string{}
	for _, raw := range f.Resolve {
		parts := strings.SplitN(raw, ":", 3)
		if len(parts) < 3 {
			return nil, usage("--resolve %s does not have the form host:port:address; use one like staging.example:443:10.0.0.7", raw)
		}
		ip := net.ParseIP(strings.Trim(parts[2], "[]"))
		from := net.JoinHostPort(parts[0], parts[1])
		switch {
		case ip == nil:
			return nil, usage("--resolve %s: %q is not an IP address", raw, parts[2])
		case !strings.EqualFold(from, host):
			return nil, usage("--resolve %s has no effect: the target is %s", raw, host)
		case proxied:
			return nil, usage("--resolve %s has no effect: requests go through a proxy, which resolves names itself; add the host to NO_PROXY to leave the proxy out", raw)
		case at[host] != "":
			return nil, usage("--resolve names %s twice", host)
		}
		at[host] = net.JoinHostPort(ip.String(), parts[1])
		r.way = append(r.way, "at the address "+ip.String())
	}
	return at, nil
}

// waitReady waits until the service answers, if that is asked for.
func (f targetFlags) waitReady(ctx context.Context, std streams) error {
	if f.WaitReady == 0 {
		return nil
	}
	r, err := f.reach()
	if err != nil {
		return err
	}
	transport := r.connect()
	err = client.Ready(ctx, transport, r.base, time.Duration(f.WaitReady), exchange.NewRedactor(r.secrets...).Sparing(r.base.String()), func(why string) {
		fmt.Fprintf(std.err, "Waiting up to %s for the target: %s\n", time.Duration(f.WaitReady), why)
	})
	if c, ok := transport.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return noVerdict(fmt.Errorf("--wait-ready: %w", err))
	}
	return nil // the run itself tells an interruption
}
