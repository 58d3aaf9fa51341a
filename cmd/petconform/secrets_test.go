package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/long"
	"petconform/spec/reference"
)

// TestUnaskedResponse: net/http logs what a target sends after its response, which may be a key.
func TestUnaskedResponse(t *testing.T) {
	key := reference.RandomKey("unasked", spec.Business).Secret.Reveal()
	server := httptest.NewServer(http.HandlerFunc(raw(okHead + "Content-Length: 2\r\n\r\n[]HTTP/1.1 200 " + key + "\r\n\r\n")))
	defer server.Close()
	_, out, errs := ran(command([]string{"PETCONFORM_KEY=" + key}, os.Args[0], "check", "--target", server.URL+"/v1", "--only", "list-all", "--max-wait", "1s", "--out", t.TempDir()))
	if strings.Contains(out+errs, key) || !regexp.MustCompile("VERDICT|PART|DEVIATES").MatchString(out) {
		t.Errorf("it says:\n%s%s", out, errs)
	}
}

// TestKeysLikeOwnWords: a key with words that petconform writes, or with the digits of its times, blackens no report.
func TestKeysLikeOwnWords(t *testing.T) {
	keys := []string{"staging-petconform-7f3a9c21", "my-conformance-test-key", "requirements", "00000000aaaaaaaa", "12345678", "pet-key-0123456789", "a-key-that-is-secret", "20260304", "test", "x-ratelimit-remaining-42"}
	for i, key := range keys[:long.Times(t, 3, len(keys))] {
		t.Run(fmt.Sprint(i), func(t *testing.T) { // the folder has the test's name
			t.Parallel()
			target, _ := serving(t, reference.Config{Keys: []reference.Key{{Name: "own", Secret: exchange.NewSecret(key), Plan: spec.Business}}})
			dir := t.TempDir()
			for _, args := range [][]string{{"check", "--target", target}, {"judge", dir}} {
				code, out, errs := ran(command([]string{"PETCONFORM_KEY=" + key, "NO_COLOR=1"}, os.Args[0], append(args, "--out", dir)...))
				if code != 0 || strings.Contains(out+errs, exchange.Mask) {
					t.Errorf("%s with the key %s: exit code %d:\n%s%s", args[0], key, code, out, errs)
				}
				eachFile(t, dir, func(name string, data []byte) {
					if i := strings.Index(string(data), exchange.Mask); i >= 0 {
						t.Errorf("%s: %s has a mask: %s", args[0], name, data[max(0, i-200):min(len(data), i+200)])
					}
				})
			}
		})
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
