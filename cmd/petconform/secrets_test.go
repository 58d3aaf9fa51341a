package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// TestUnaskedResponse: net/http logs what a target sends after its response, which may be a key.
func TestUnaskedResponse(t *testing.T) {
	key := reference.RandomKey("unasked", spec.Business).Secret.Reveal()
	server := httptest.NewServer(http.HandlerFunc(raw(okHead + "Content-Length: 2\r\n\r\n[]HTTP/1.1 200 " + key + "\r\n\r\n")))
	defer server.Close()
	cmd := command([]string{"PETCONFORM_KEY=" + key}, os.Args[0], "check", "--target", server.URL+"/v1", "--only", "list-all", "--max-wait", "1s", "--out", t.TempDir())
	said, _ := cmd.CombinedOutput() // nothing holds a verdict here
	if strings.Contains(string(said), key) || !strings.Contains(string(said), "VERDICT") && !strings.Contains(string(said), "DEVIATES") {
		t.Errorf("it says:\n%s", said)
	}
}

// noKeys wants a file without $KEY in any form.
func noKeys(ts *testscript.TestScript, neg bool, args []string) {
	found := exchange.NewRedactor(exchange.NewSecret(ts.Getenv("KEY"))).Found([]byte(ts.ReadFile(args[0])))
	if found != neg {
		ts.Fatalf("the key stands in %s: %t", args[0], found)
	}
}

// plantKey copies a recording with $KEY in each response: plantkey FROM TO.
func plantKey(ts *testscript.TestScript, _ bool, args []string) {
	planted := strings.ReplaceAll(ts.ReadFile(args[0]), `"proto":"HTTP/1.1","header":{`, `"proto":"HTTP/1.1","header":{"X-Echo":["`+ts.Getenv("KEY")+`"],`)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(planted), 0o600))
}
