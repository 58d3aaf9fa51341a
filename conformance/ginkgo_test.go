package conformance_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"petconform/spec"
	"petconform/spec/reference"
)

// counted is a target that counts what it is sent.
type counted struct {
	http.Handler
	requests, creates atomic.Int32
}

func (c *counted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.requests.Add(1)
	before := &statusWriter{ResponseWriter: w}
	c.Handler.ServeHTTP(before, r)
	if r.Method == http.MethodPost && before.status == http.StatusCreated {
		c.creates.Add(1)
	}
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// served starts a reference service on loopback, behind wrap, and gives its base address and key.
func served(t *testing.T, wrap func(http.Handler) http.Handler, cfg reference.Config) (target, key string) {
	t.Helper()
	k := reference.RandomKey("ginkgo", spec.Business)
	cfg.Keys = []reference.Key{k}
	service, err := reference.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(wrap(service))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL + "/v1", k.Secret.Reveal()
}

// ginkgoRun runs this package's suite in a process of its own, as the ginkgo command does.
func ginkgoRun(t *testing.T, target, key string, args ...string) (out string, ok bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"-test.run=^TestConformance$", "-ginkgo.no-color"}, args...)...)
	cmd.Env = append(os.Environ(), "PETCONFORM_TARGET="+target, "PETCONFORM_KEY="+key, "PETCONFORM_TIMEOUT=300ms")
	data, err := cmd.CombinedOutput()
	return string(data), err == nil
}

var ran = regexp.MustCompile(`Ran (\d+) of (\d+) Specs`)

// TestGinkgoSelects: what Ginkgo runs is what is sent, a part is not called whole, and nothing selected is no success.
func TestGinkgoSelects(t *testing.T) {
	for _, c := range []struct {
		name             string
		args             []string
		ok               bool
		says             string
		requests, create int32 // at most; and at least one where it is not 0
	}{
		{"everything", nil, true, "SUCCESS!", 125, 30},
		{"one requirement", []string{"-ginkgo.label-filter=LIST-5"}, false, "PART HOLDS", 13, 10},
		{"one rule", []string{"-ginkgo.label-filter=deprecation-headers"}, false, "PART HOLDS", 20, 5},
		{"an operation's musts", []string{"-ginkgo.label-filter=must && getPet"}, false, "PART HOLDS", 40, 10},
		{"focused by its text", []string{"-ginkgo.focus=getPet of animals"}, false, "PART HOLDS", 12, 5},
		{"a misspelt label", []string{"-ginkgo.label-filter=LIST-55"}, false, "nothing was selected", 0, 0},
		{"a dry run", []string{"-ginkgo.dry-run"}, true, "SUCCESS!", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var target counted
			base, key := served(t, func(h http.Handler) http.Handler { target.Handler = h; return &target }, reference.Config{Seed: 25})
			out, ok := ginkgoRun(t, base, key, c.args...)
			if ok != c.ok || !strings.Contains(out, c.says) {
				t.Errorf("success %v; want %v and %q in\n%s", ok, c.ok, c.says, out)
			}
			requests, creates := target.requests.Load(), target.creates.Load()
			t.Logf("%s; %d requests, %d animals created", ran.FindString(out), requests, creates)
			if requests > c.requests || creates > c.create || (requests == 0) != (c.requests == 0) {
				t.Errorf("%d requests and %d animals created; at most %d and %d are wanted", requests, creates, c.requests, c.create)
			}
		})
	}
}

// TestGinkgoFailsOnAHangingOperation: a getPet that never answers is no success, of a whole run and of a part.
func TestGinkgoFailsOnAHangingOperation(t *testing.T) {
	hang := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/v1/pets/") {
				<-r.Context().Done()
				return
			}
			h.ServeHTTP(w, r)
		})
	}
	base, key := served(t, hang, reference.Config{})
	for _, filter := range []string{"", "GET-1"} {
		if out, ok := ginkgoRun(t, base, key, "-ginkgo.label-filter="+filter); ok || !strings.Contains(out, "NO VERDICT") {
			t.Errorf("label filter %q: success %v; NO VERDICT is wanted in\n%s", filter, ok, out)
		}
	}
}

// TestGinkgoPrintsNoEscapes: text of a target reaches Ginkgo, and with it a terminal, without what acts there.
func TestGinkgoPrintsNoEscapes(t *testing.T) {
	red := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "\x1b[31mRED\u009b0m", http.StatusTeapot) })
	}
	base, key := served(t, red, reference.Config{})
	if out, ok := ginkgoRun(t, base, key, "-ginkgo.v"); ok || strings.ContainsAny(out, "\x1b\u009b") || !strings.Contains(out, "RED") {
		t.Errorf("success %v, in\n%q", ok, out)
	}
}
