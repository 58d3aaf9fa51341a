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

// TestALiteralHeaderIsASecret: a target that sends a header back puts its value into no file, and what a run says anyway, or what may be a
// word of any text, blackens no report, although a header has it too.
func TestALiteralHeaderIsASecret(t *testing.T) {
	key := reference.RandomKey("literal", spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}})
	noError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, v := range r.Header.Values("X-Gate") {
			w.Header().Add("X-Seen", v)
		}
		service.ServeHTTP(w, r)
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	for masked, values := range map[bool][]string{
		true:  {"gate of 2 doors and a moat", "s3cr3t-tok", "abcdefghij1", "application/json-tenant", host + "-xyz", tool + "-xyz"},
		false: {"blue", "1", "true", "v1", "application/json", host, "2.14.0-rc.1+4f2a9c", tool},
	} {
		dir := t.TempDir()
		args := []string{"check", "--target", server.URL + "/v1", "--build", "2.14.0-rc.1+4f2a9c", "--out", dir}
		for _, v := range values {
			args = append(args, "--header", "X-Gate: "+v)
		}
		code, out, errs := ran(command([]string{"PETCONFORM_KEY=" + key.Secret.Reveal()}, os.Args[0], args...))
		all := out + errs
		eachFile(t, dir, func(_ string, data []byte) { all += string(data) })
		if has := strings.Contains(all, exchange.Mask); code != 0 || has != masked {
			t.Errorf("%q: exit code %d, masked: %t; 0 and %t are wanted\n%s%s", values, code, has, masked, out, errs)
		}
		for _, v := range values {
			if strings.Contains(all, v) == masked {
				t.Errorf("%s is in what was written: %t", v, !masked)
			}
		}
	}
}
