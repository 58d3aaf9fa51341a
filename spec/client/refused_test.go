package client_test

import (
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
)

// TestRefusedConnections: a certificate that nobody vouches for, one that the target wants, and a proxy that refuses are told apart, each
// with what to do.
func TestRefusedConnections(t *testing.T) {
	secure := func(version uint16, auth tls.ClientAuthType) string {
		server := httptest.NewUnstartedServer(http.NotFoundHandler())
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.TLS = &tls.Config{ClientAuth: auth, MinVersion: version, MaxVersion: version}
		server.StartTLS()
		t.Cleanup(server.Close)
		return server.URL
	}
	trusting := func(tr *http.Transport) { tr.TLSClientConfig = &tls.Config{InsecureSkipVerify: true} } //nolint:gosec // a test server
	through := func(status int) func(*http.Transport) {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		t.Cleanup(proxy.Close)
		address := strings.TrimPrefix(proxy.URL, "http://")
		return func(tr *http.Transport) {
			tr.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: address, User: url.UserPassword("ada", "hunter2")})
		}
	}
	for name, row := range map[string]struct {
		base string
		how  func(*http.Transport)
		says []string
	}{
		"an unknown authority":                    {secure(tls.VersionTLS13, tls.NoClientCert), func(*http.Transport) {}, []string{"is signed by \"O=Acme Co\"", "--ca-cert", "intermediate"}},
		"a client certificate is wanted, TLS 1.3": {secure(tls.VersionTLS13, tls.RequireAnyClientCert), trusting, []string{"certificate required", "--cert"}},
		"a client certificate is wanted, TLS 1.2": {secure(tls.VersionTLS12, tls.RequireAnyClientCert), trusting, []string{"tls: ", "--cert"}},
		"a proxy that wants a password":           {"https://pets.example", through(407), []string{"the proxy http://127.0.0.1:", "HTTPS_PROXY"}},
		"a proxy that refuses":                    {"https://pets.example", through(403), []string{"(403 Forbidden)", "NO_PROXY"}},
	} {
		transport := client.NewTransport(1)
		row.how(transport)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, row.base+"/v1/pets", nil)
		if err != nil {
			t.Fatal(err)
		}
		var x exchange.Exchange
		(&roundtrip.Recorder{MaxBody: 1}).Send(transport, req, &x)
		transport.CloseIdleConnections()
		for _, says := range row.says {
			if f := x.Failure; f == nil || f.Kind != exchange.Unreachable || !strings.Contains(f.Detail, says) || strings.Contains(f.Detail, "hunter2") {
				t.Errorf("%s: %+v; unreachable and %q are wanted", name, f, says)
			}
		}
	}
}
