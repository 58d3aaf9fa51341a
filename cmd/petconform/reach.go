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
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"petconform/spec/client"
	"petconform/spec/exchange"
)

// reachFlags say how a target is reached, apart from its address.
type reachFlags struct {
	Header    []string `help:"Header to add to every request, like 'X-Tenant: blue', or 'X-Gate: $${GATE}' with the value of a variable, in single quotes. The value is a secret like the key, unless the run says it anyway, as --build. A short one of letters or digits alone, such as blue or 42, is not removed from what a target sends: use another if it has to be." placeholder:"HEADER" sep:"none" repeat:""`
	CACert    string   `name:"ca-cert" help:"PEM file of certificates to trust in addition to the system's." placeholder:"FILE" repeat:""`
	Cert      string   `help:"PEM file of the client certificate, for a target that asks for one." placeholder:"FILE" repeat:""`
	CertKey   string   `name:"cert-key" help:"PEM file of the key of --cert. Default: the file of --cert." placeholder:"FILE" repeat:""`
	Resolve   string   `help:"Connect to this address instead of the host's own, like host:443:10.0.0.7. The Host header and TLS keep the host's name." placeholder:"HOST:PORT:ADDRESS" repeat:""`
	WaitReady span     `help:"Wait up to this time until the service answers." placeholder:"TIME"`
}

// reach reads the files and variables that the flags name, and completes t by them. It returns an error for a flag that
// cannot work.
func (f reachFlags) reach(a *app, t *target) error {
	said := slices.Concat(a.told, []string{t.base.String(), tool, exchange.JSON})
	for _, flag := range t.flags { // that of a header has its name alone
		said = append(said, flag.Value)
	}
	header, secrets, err := headersOf(f.Header, said)
	if err != nil {
		return usage("--header: %w", err)
	}
	t.secrets = secrets
	if names := slices.Sorted(maps.Keys(header)); len(names) > 0 {
		t.way = append(t.way, "with the header "+strings.Join(names, " and the header "))
	}
	cfg, err := f.tls(t)
	if err != nil {
		return err
	}
	at, err := f.resolved(t)
	if err != nil {
		return err
	}
	a.hide(t.secrets...)
	t.connect = func() http.RoundTripper {
		transport := client.NewTransport(client.DefaultConnections)
		transport.TLSClientConfig = cfg
		client.Resolve(transport, at)
		return staged{client.WithHeaders(transport, header), a}
	}
	return nil
}

// tls returns the configuration that the flags ask for, or nil.
func (f reachFlags) tls(t *target) (*tls.Config, error) {
	switch {
	case f.CertKey != "" && f.Cert == "":
		return nil, usage("--cert-key has the key of a certificate; name the certificate with --cert")
	case f.CACert == "" && f.Cert == "":
		return nil, nil
	case t.base.Scheme == "http":
		return nil, usage("--cert and --ca-cert need TLS, and the target %s has none; use an address with https://", t.base)
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if f.CACert != "" {
		data, err := readFile("--ca-cert", f.CACert)
		if err != nil {
			return nil, err
		}
		if cfg.RootCAs, err = x509.SystemCertPool(); err != nil {
			cfg.RootCAs = x509.NewCertPool()
		}
		if !cfg.RootCAs.AppendCertsFromPEM(data) {
			return nil, usage("--ca-cert %s: the file has no certificate in PEM form", f.CACert)
		}
	}
	if f.Cert == "" {
		return cfg, nil
	}
	keyFile := cmp.Or(f.CertKey, f.Cert)
	cert, first := readFile("--cert", f.Cert)
	key, second := readFile("--cert-key", keyFile)
	if err := cmp.Or(first, second); err != nil {
		return nil, err
	}
	if bytes.Contains(key, []byte("ENCRYPTED")) { // BEGIN ENCRYPTED PRIVATE KEY, or Proc-Type: 4,ENCRYPTED
		return nil, usage("--cert-key %s: the key is encrypted; petconform asks for no passphrase, so name a file with the key decrypted", keyFile)
	}
	own, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, usage("--cert %s with the key of %s: %s", f.Cert, keyFile, strings.TrimPrefix(err.Error(), "tls: "))
	}
	cfg.Certificates = []tls.Certificate{own}
	t.way = append(t.way, "with the client certificate "+cmp.Or(own.Leaf.Subject.String(), own.Leaf.SerialNumber.String()))
	return cfg, nil
}

// proxy reports whether requests go through a proxy of the environment.
func (t *target) proxy() (bool, error) {
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: t.base})
	if err != nil {
		return false, usage("the proxy of the environment, HTTP_PROXY or HTTPS_PROXY, is not an address like http://proxy.example:3128")
	}
	if proxy == nil {
		return false, nil
	}
	if password, has := proxy.User.Password(); has {
		t.secrets = append(t.secrets, exchange.NewSecret(password))
	}
	t.way = append(t.way, fmt.Sprintf("through the proxy %s://%s", proxy.Scheme, proxy.Host))
	return true, nil
}

// resolved reads --resolve: the address to connect to, by the host and port of the target.
func (f reachFlags) resolved(t *target) (map[string]string, error) {
	proxied, err := t.proxy()
	if err != nil || f.Resolve == "" {
		return nil, err
	}
	parts := strings.SplitN(f.Resolve, ":", 3)
	if len(parts) < 3 {
		return nil, usage("--resolve %s does not have the form host:port:address; use one like staging.example:443:10.0.0.7",
			f.Resolve)
	}
	port := cmp.Or(t.base.Port(), map[string]string{"http": "80", "https": "443"}[t.base.Scheme])
	host, ip := net.JoinHostPort(t.base.Hostname(), port), net.ParseIP(strings.Trim(parts[2], "[]"))
	switch {
	case ip == nil:
		return nil, usage("--resolve %s: %q is not an IP address", f.Resolve, parts[2])
	case !strings.EqualFold(net.JoinHostPort(parts[0], parts[1]), host):
		return nil, usage("--resolve %s has no effect: the target is %s", f.Resolve, host)
	case proxied:
		return nil, usage("--resolve %s has no effect: requests go through a proxy, which resolves names itself; "+
			"add the host to NO_PROXY to leave the proxy out", f.Resolve)
	}
	t.way = append(t.way, "at the address "+ip.String())
	return map[string]string{host: net.JoinHostPort(ip.String(), parts[1])}, nil
}

// waitReady waits until the service answers, if that is asked for.
func (f reachFlags) waitReady(ctx context.Context, a *app, t *target) error {
	if f.WaitReady == 0 {
		return nil
	}
	transport := t.connect()
	defer (&http.Client{Transport: transport}).CloseIdleConnections()
	err := client.Ready(ctx, transport, t.base, time.Duration(f.WaitReady), a.keys(), func(why string) {
		fmt.Fprintf(a.err, "Waiting up to %s for the target: %s\n", time.Duration(f.WaitReady), why)
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return noVerdict(fmt.Errorf("--wait-ready: %w", err))
	}
	return nil // the run itself tells an interruption
}

// ownHeaders are the headers that petconform itself has to set, or that change how a response comes.
var ownHeaders = strings.Fields("Authorization X-Api-Key Host Accept Accept-Encoding Content-Type Content-Length " +
	"Transfer-Encoding Connection Upgrade Te Trailer Expect")

// headersOf parses values of --header: "Name: value" with variables of the environment like ${NAME}, whose values are
// secrets. A literal is one too, unless what a run says has all of it. No error has a value.
func headersOf(all, said []string) (h http.Header, secrets []exchange.Secret, err error) {
	h = http.Header{}
	for _, raw := range all {
		name, value, found := strings.Cut(raw, ":")
		name, value = http.CanonicalHeaderKey(strings.TrimSpace(name)), strings.TrimSpace(value)
		unset := ""
		expanded := variable.ReplaceAllStringFunc(value, func(v string) string {
			secret := os.Getenv(strings.Trim(v, "${}"))
			if secret == "" {
				unset = v
			}
			secrets = append(secrets, exchange.NewSecret(secret))
			return secret
		})
		literal := exchange.NewSecret(value)
		if expanded == value && !exchange.NewRedactor(literal).Sparing(said...).Found([]byte(strings.Join(said, "\n"))) {
			secrets = append(secrets, literal)
		}
		switch {
		case !found:
			err = errors.New("a header has no colon; use one like 'X-Tenant: blue'")
		case !httpguts.ValidHeaderFieldName(name):
			err = fmt.Errorf("%q is not the name of a header; use one like 'X-Tenant: blue'", name)
		case slices.Contains(ownHeaders, name):
			err = fmt.Errorf("the header %s can't be set: petconform does. The API key comes from PETCONFORM_KEY or "+
				"--key-file, and --resolve reaches the target at another address", name)
		case value == "":
			err = fmt.Errorf("the header %s has no value", name)
		case exchange.NamesSecret(name) && expanded == value:
			err = fmt.Errorf("the header %s looks like a secret; put its value into a variable and write '%s: ${NAME}', "+
				"in single quotes on a command line", name, name)
		case unset != "":
			err = fmt.Errorf("the header %s: the variable %s is not set", name, unset)
		case !httpguts.ValidHeaderFieldValue(expanded):
			err = fmt.Errorf("the header %s: its value has a control character, such as a line break", name)
		}
		if err != nil {
			return nil, nil, err
		}
		h.Add(name, expanded)
	}
	return h, secrets, nil
}

// variable matches ${NAME}.
var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// writable matches values that have no secret: a variable, perhaps after the word of a scheme, as in "Token ${GATE}".
var writable = regexp.MustCompile(`^([A-Za-z]+ )?` + variable.String() + `$`)

// headerToRepeat returns a header for a line that runs again. Another value than a variable's is replaced by a variable
// of the header's name, which has to be set then.
func headerToRepeat(raw string) string {
	name, value, _ := strings.Cut(raw, ":")
	if value = strings.TrimSpace(value); !writable.MatchString(value) {
		value = "${" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "}"
	}
	return name + ": " + value
}
