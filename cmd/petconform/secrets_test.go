package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// TestUnaskedResponse: net/http logs what a target sends after its response, which may be a key.
func TestUnaskedResponse(t *testing.T) {
	key := reference.RandomKey("unasked", spec.Business).Secret.Reveal()
	server := httptest.NewServer(raw(okHead + "Content-Length: 2\r\n\r\n[]HTTP/1.1 200 " + key + "\r\n\r\n"))
	defer server.Close()
	_, out, errs := ran(command([]string{"PETCONFORM_KEY=" + key}, os.Args[0], "check", "--target", server.URL+"/v1", "--only", "list-all", "--max-wait", "1s", "--out", t.TempDir()))
	if strings.Contains(out+errs, key) || !regexp.MustCompile("VERDICT|PART|DEVIATES").MatchString(out) {
		t.Errorf("it says:\n%s%s", out, errs)
	}
}

// TestKeysLikeOwnWords: a key with words that petconform writes, or with the digits of its times, blackens no report.
func TestKeysLikeOwnWords(t *testing.T) {
	for i, key := range []string{"staging-petconform-7f3a9c21", "requirements", "20260304"} {
		t.Run(fmt.Sprint(i), func(t *testing.T) { // the folder has the test's name
			t.Parallel()
			target, _ := serving(t, reference.Config{Keys: []reference.Key{{Name: "own", Secret: exchange.NewSecret(key), Plan: spec.Business}}})
			dir := t.TempDir()
			env := []string{"PETCONFORM_KEY=" + key, "NO_COLOR=1"}
			code, out, errs := ran(command(env, os.Args[0], "check", "--target", target, "--out", dir))
			if code != 0 || strings.Contains(out+errs, exchange.Mask) {
				t.Errorf("with the key %s: exit code %d:\n%s%s", key, code, out, errs)
			}
			eachFile(t, dir, func(name string, data []byte) {
				if i := strings.Index(string(data), exchange.Mask); i >= 0 {
					t.Errorf("%s has a mask: %s", name, data[max(0, i-200):min(len(data), i+200)])
				}
			})
		})
	}
}

// TestALiteralHeaderIsASecret: a target that sends a header back puts its value into no file, and what a run says anyway
// blackens no report, although a header has it too.
func TestALiteralHeaderIsASecret(t *testing.T) {
	key := reference.RandomKey("literal", spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}})
	noError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Seen", r.Header.Get("X-Gate"))
		service.ServeHTTP(w, r)
	}))
	defer server.Close()
	for _, row := range []struct {
		value  string
		masked bool
	}{{"gate of 2 doors and a moat", true}, {"blue", false}, {"application/json", false}, {"application/merge-patch+json", false},
		{strings.TrimPrefix(server.URL, "http://"), false}, {"2.14.0-rc.1+4f2a9c", false}, {tool, false}} {
		dir := t.TempDir()
		code, out, errs := ran(command([]string{"PETCONFORM_KEY=" + key.Secret.Reveal()}, os.Args[0], "check", "--target", server.URL+"/v1",
			"--header", "X-Gate: "+row.value, "--build", "2.14.0-rc.1+4f2a9c", "--out", dir))
		var all strings.Builder
		all.WriteString(out + errs)
		eachFile(t, dir, func(_ string, data []byte) { all.Write(data) })
		if masked := strings.Contains(all.String(), exchange.Mask); code != 0 || masked != row.masked {
			t.Errorf("%s: exit code %d, masked: %t; 0 and %t are wanted\n%s%s", row.value, code, masked, row.masked, out, errs)
		}
		if row.masked && strings.Contains(all.String(), row.value) {
			t.Errorf("%s is in what was written", row.value)
		}
	}
}
