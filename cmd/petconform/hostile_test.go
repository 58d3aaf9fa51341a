package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"petconform/reports"
	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// misbehaviours are what an operation does instead of answering as the interface says.
var misbehaviours = map[string]http.HandlerFunc{
	"hangs": func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a request's context ends with its connection once the body is read
		<-r.Context().Done()
	},
	"closes": func(w http.ResponseWriter, _ *http.Request) {
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_ = conn.Close()
		}
	},
	"answers 401": answers(http.StatusUnauthorized),
	"answers 403": answers(http.StatusForbidden),
	"answers 429": answers(http.StatusTooManyRequests),
	"answers 500": answers(http.StatusInternalServerError),
	"is not JSON": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "it works") },
}

func answers(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"code":"hostile","message":"no","status":%d}`, status)
	}
}

// TestOneVerdict: whatever one operation does, or all do, the verdict of the command line, of the Ginkgo suite and of the
// recording is the same, and never "conforms".
func TestOneVerdict(t *testing.T) {
	long.Only(t, "the Ginkgo suite and the command line against 35 targets, and a build of the suite")
	t.Parallel()
	suite := filepath.Join(t.TempDir(), "suite.test")
	if out, err := exec.Command("go", "test", "-c", "-o", suite, "petconform/conformance").CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	for name, misbehaves := range misbehaviours {
		for _, operation := range append(spec.Operations(), "everything") {
			t.Run(string(operation)+" "+name, func(t *testing.T) {
				t.Parallel()
				oneVerdict(t, suite, func(h http.Handler) http.Handler {
					return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						path := strings.TrimPrefix(r.URL.Path, "/v1")
						if operation == "everything" || spec.OperationOf(r.Method, path) == operation {
							misbehaves(w, r)
							return
						}
						h.ServeHTTP(w, r)
					})
				})
			})
		}
	}
}

func oneVerdict(t *testing.T, suite string, wrap func(http.Handler) http.Handler) {
	t.Helper()
	key := reference.RandomKey("hostile", spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(wrap(service))
	defer server.Close()
	defer server.CloseClientConnections()
	env := append(os.Environ(), "PETCONFORM_KEY="+key.Secret.Reveal(), "PETCONFORM_TARGET="+server.URL+"/v1",
		"PETCONFORM_TIMEOUT=300ms", "PETCONFORM_PATIENCE=300ms", "PETCONFORM_MAX_WAIT=20s", "NO_COLOR=1")
	dir := t.TempDir()

	check := command(env, os.Args[0], "check", "--out", dir, "--timeout", "300ms", "--patience", "300ms", "--max-wait", "20s")
	checked, _, _ := ran(check)
	in, err := reports.Opening{}.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	judged, _, _ := ran(command(env, os.Args[0], "judge", dir))
	out, err := command(env, suite, "-test.run=^TestConformance$", "-ginkgo.no-color").CombinedOutput()
	word := string(regexp.MustCompile(`DEVIATES|NO VERDICT`).Find(out))
	if checked == verdict.ExitConforms || err == nil {
		t.Errorf("check exits %d and the suite with %v; neither is to be green", checked, err)
	}
	if want := strings.ToUpper(string(in.Results.Verdict)); checked != judged || checked != exitCodes[in.Results.Verdict] || word != want {
		t.Errorf("check exits %d with %q in results.json, judge exits %d, the suite says %q; they are to say the same\n%v", checked, want, judged, word, in.Results.Reasons)
	}
}
