package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/conformance"
	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// clientCertificate writes a certificate and its key, and returns their files.
func clientCertificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := x509.Certificate{SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: "release tests"}, NotAfter: time.Now().Add(time.Hour)}
	der, err2 := x509.CreateCertificate(rand.Reader, &template, &template, private.Public(), private)
	keyDER, err3 := x509.MarshalPKCS8PrivateKey(private)
	noError(t, errors.Join(err, err2, err3))
	return put(t, t.TempDir(), "cert.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		put(t, t.TempDir(), "key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}))
}

// TestUnreachable: what cannot work is refused with the reason, as wrong usage, before anything is sent.
func TestUnreachable(t *testing.T) {
	cert, key := clientCertificate(t)
	_, otherKey := clientCertificate(t)
	locked := put(t, t.TempDir(), "locked.pem", pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("x")}))
	for _, row := range []struct {
		name, target string
		flags        reachFlags
		want         string
	}{
		{"no key", "", reachFlags{Cert: cert}, "found a certificate rather than a key in the PEM for the private key"},
		{"a key alone", "", reachFlags{CertKey: key}, "--cert-key has the key of a certificate; name the certificate with --cert"},
		{"another's key", "", reachFlags{Cert: cert, CertKey: otherKey}, "private key does not match public key"},
		{"an encrypted key", "", reachFlags{Cert: cert, CertKey: locked}, "the key is encrypted; petconform asks for no passphrase, so name a file with the key decrypted"},
		{"a certificate without TLS", "http://h.example/v1", reachFlags{Cert: cert, CertKey: key}, "--cert and --ca-cert need TLS, and the target http://h.example/v1 has none; use an address with https://"},
		{"an authority without a certificate", "", reachFlags{CACert: key}, "the file has no certificate in PEM form"},
		{"--resolve without a port", "", reachFlags{Resolve: "h.example:10.0.0.7"}, "--resolve h.example:10.0.0.7 does not have the form host:port:address; use one like staging.example:443:10.0.0.7"},
		{"--resolve to a name", "", reachFlags{Resolve: "h.example:443:other.example"}, `--resolve h.example:443:other.example: "other.example" is not an IP address`},
		{"--resolve of another host", "", reachFlags{Resolve: "other.example:443:10.0.0.7"}, "--resolve other.example:443:10.0.0.7 has no effect: the target is h.example:443"},
		{"--resolve of another port", "https://h.example:8443/v1", reachFlags{Resolve: "h.example:443:10.0.0.7"}, "--resolve h.example:443:10.0.0.7 has no effect: the target is h.example:8443"},
		{"a secret header", "", reachFlags{Header: []string{"Cookie: hunter2"}}, "--header: the header Cookie looks like a secret; put its value into a variable"},
		{"a header for no target", "none", reachFlags{Header: []string{"X-Tenant: blue"}}, "flags like --header, --cert and --wait-ready say how to reach a target, and none is given"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Setenv("PETCONFORM_KEY", "a1B2c3D4e5F6")
			f := targetFlags{Target: "https://h.example/v1", Timeout: span(time.Second), reachFlags: row.flags}
			if row.target != "" {
				f.Target = strings.TrimPrefix(row.target, "none")
			}
			_, err := f.open(t.Context(), newApp(t.Output(), t.Output()), reference.Config{}, nil)
			if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "hunter2") {
				t.Fatalf("%v; %q is wanted", err, row.want)
			}
			if code := newApp(&bytes.Buffer{}, &bytes.Buffer{}).printError(err); code != 2 {
				t.Errorf("exit code %d; 2 is wanted", code)
			}
		})
	}
}

// guardedService is the reference service behind a gateway that wants a header and a client certificate, speaks HTTP/2, and sends the header
// back with every response.
func guardedService(t *testing.T, key reference.Key, gate string) *httptest.Server {
	t.Helper()
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}})
	noError(t, err)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Seen", r.Header.Get("X-Gate-Token"))
		if r.Header.Get("X-Gate-Token") != gate || len(r.TLS.PeerCertificates) != 1 {
			http.Error(w, "the gate is shut", http.StatusForbidden)
			return
		}
		service.ServeHTTP(w, r)
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// TestReached: a run through a gateway with a header from a variable, a client certificate and --resolve. The secret is in no recording; the
// results tell the way and the version of HTTP.
func TestReached(t *testing.T) {
	const gate = "g1H2i3J4k5L6"
	key := reference.RandomKey("reach", spec.Business)
	server := guardedService(t, key, gate)
	t.Setenv("GATE_SECRET", gate)
	t.Setenv("PETCONFORM_KEY", key.Secret.Reveal())
	cert, certKey := clientCertificate(t)
	at, err := url.Parse(server.URL)
	noError(t, err)
	authority := put(t, t.TempDir(), "ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	// The certificate of httptest is for example.com; --resolve keeps the requests on this machine.
	host := "example.com:" + at.Port()
	f := targetFlags{Target: "https://" + host + "/v1", Timeout: span(10 * time.Second), reachFlags: reachFlags{
		Header: []string{"X-Gate-Token: ${GATE_SECRET}"}, CACert: authority, Cert: cert, CertKey: certKey, WaitReady: span(10 * time.Second),
		Resolve: host + ":127.0.0.1"}}
	reached, err := f.open(t.Context(), newApp(t.Output(), t.Output()), reference.Config{}, nil)
	noError(t, err)
	noError(t, f.waitReady(t.Context(), newApp(t.Output(), t.Output()), reached))
	var recording bytes.Buffer
	cfg := conformance.At(f.Target, key.Secret.Reveal())
	cfg.Transport, cfg.Secrets, cfg.Way, cfg.Recording = reached.connect(), reached.secrets, reached.way, &recording
	rec, err := run.Send(t.Context(), cfg)
	noError(t, err)
	if exchange.NewRedactor(exchange.NewSecret(gate)).Found(recording.Bytes()) || !bytes.Contains(recording.Bytes(), []byte(`"X-Seen":["[key]"]`)) {
		t.Error("the recording has the value of the header; a mask is wanted where the target sent it back")
	}
	results := judge.Recording(rec)
	way := []string{"with the header X-Gate-Token", "with the client certificate CN=release tests", "at the address 127.0.0.1"}
	if results.Verdict != verdict.Conforms || !slices.Equal(results.Target.Way, way) || results.Target.Protocols["HTTP/2.0"] != len(rec.Exchanges) {
		t.Errorf("%s %q, by way of %q, in %v; conforms by way of %q with %d responses in HTTP/2.0 is wanted",
			results.Verdict, results.Reasons, results.Target.Way, results.Target.Protocols, way, len(rec.Exchanges))
	}
}

// TestProxyTold: a proxy of the environment is told without its password, which is a secret, and makes --resolve useless.
func TestProxyTold(t *testing.T) {
	if os.Getenv("PROXIED") == "" { // net/http reads the variables of a proxy once in a process
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProxyTold$", "-test.v")
		child.Env = append(os.Environ(), "PROXIED=1", "NO_PROXY=", "no_proxy=", "https_proxy=", "HTTPS_PROXY=http://me:h4nter2hunter2@proxy.example:3128")
		if out, err := child.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: TestProxyTold")) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	r := &target{base: &url.URL{Scheme: "https", Host: "h.example", Path: "/v1"}}
	err := reachFlags{}.reach(newApp(t.Output(), t.Output()), r)
	if err != nil || !slices.Equal(r.way, []string{"through the proxy http://proxy.example:3128"}) || len(r.secrets) != 1 || r.secrets[0].Reveal() != "h4nter2hunter2" {
		t.Errorf("by way of %q, with %d secrets, %v", r.way, len(r.secrets), err)
	}
	if err := (reachFlags{Resolve: "h.example:443:10.0.0.7"}).reach(newApp(t.Output(), t.Output()), r); err == nil || !strings.Contains(err.Error(), "requests go through a proxy, which resolves names itself") {
		t.Errorf("%v", err)
	}
}

func TestHeaders(t *testing.T) {
	t.Setenv("HOST", "staging.example")
	h, secrets, err := headersOf([]string{"x-tenant: blue", "X-Gate-Token: v1-${HOST}", "X-Tenant:green"}, nil)
	if got := fmt.Sprint(h, len(secrets), err); got != "map[X-Gate-Token:[v1-staging.example] X-Tenant:[blue green]] 3 <nil>" {
		t.Error(got)
	}
}

// TestWrongHeaders: what cannot work is refused with the reason, and without the value.
func TestWrongHeaders(t *testing.T) {
	t.Setenv("HOST", "staging.example")
	for raw, want := range map[string]string{
		"hunter2":                "a header has no colon; use one like 'X-Tenant: blue'",
		"X Tenant: blue":         `"X Tenant" is not the name of a header; use one like 'X-Tenant: blue'`,
		": hunter2":              `"" is not the name of a header; use one like 'X-Tenant: blue'`,
		"X-Tenant:":              "the header X-Tenant has no value",
		"X-Tenant: ${NONE}":      "the header X-Tenant: the variable ${NONE} is not set",
		"X-Tenant: a\r\nX-B: b":  "the header X-Tenant: its value has a control character, such as a line break",
		"Cookie: hunter2":        "the header Cookie looks like a secret; put its value into a variable and write 'Cookie: ${NAME}', in single quotes on a command line",
		"authorization: ${HOST}": "the header Authorization can't be set: petconform does. The API key comes from PETCONFORM_KEY or --key-file, and --resolve reaches the target at another address",
	} {
		if _, _, err := headersOf([]string{raw}, nil); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", raw, err, want)
		}
	}
}
