package run_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

// TestTheOtherSchemeIsNamed checks that a run against the wrong one of http and https says which to try.
func TestTheOtherSchemeIsNamed(t *testing.T) {
	plain, secure := httptest.NewServer(http.NotFoundHandler()), httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	closing, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { _ = closing.Close() })
	go func() {
		for c, err := closing.Accept(); err == nil; c, err = closing.Accept() { // as a TLS port does that does not answer HTTP
			_, _ = c.Read(make([]byte, 4096))
			_ = c.Close()
		}
	}()
	for _, row := range []struct{ name, scheme, host, want string }{
		{"a TLS port that answers", "http", secure.Listener.Addr().String(), "is a port for TLS; try https://"},
		{"a TLS port that closes", "http", closing.Addr().String(), "if the port is one for TLS, try https://"},
		{"a plain port", "https", plain.Listener.Addr().String(), "try http://"},
	} {
		_, err := run.Send(t.Context(), run.Config{Base: &url.URL{Scheme: row.scheme, Host: row.host, Path: "/v1"},
			Key: exchange.NewSecret("pet-Key-0123456789-abcdef"), MaxCreates: run.DefaultMaxCreates, Concurrency: 1,
			Meta: exchange.Meta{CategoryID: 1, Run: "tls", Patience: run.DefaultPatience, Tool: "petconform/test"}})
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v; %q is wanted", row.name, err, row.want)
		}
	}
}

// TestNearest suggests a name only when it is near.
func TestNearest(t *testing.T) {
	for name, want := range map[string]string{"list-limit-defalt": "list-limit-default", "LIST-55": "LIST-5", "getpett": "getPet",
		"auth-mising-list": "auth-missing-list", "nope": "", "typo": "", "or": "", "": "", "list": ""} {
		if got := append(spec.Nearest(name, run.Names()), "")[0]; got != want {
			t.Errorf("%q: %q is suggested; %q is wanted", name, got, want)
		}
	}
}

// TestPatienceFor: a target on this machine lags for less long.
func TestPatienceFor(t *testing.T) {
	for address, want := range map[string]time.Duration{"http://localhost:8080/v1": 3 * time.Second, "http://127.0.0.2/v1": 3 * time.Second,
		"http://[::1]:8080/v1": 3 * time.Second, "https://staging.example/v1": 10 * time.Second, "http://10.0.0.7/v1": 10 * time.Second} {
		base, err := client.ParseBase(address)
		noError(t, err)
		if got := run.PatienceFor(base); got != want {
			t.Errorf("%s: %s; %s is wanted", address, got, want)
		}
	}
}
