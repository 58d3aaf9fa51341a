package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"

	"petconform/reports"
	"petconform/spec/verdict"
)

// nobodies are base addresses at which something answers that is no HTTP service, or not in the way that it is asked.
func nobodies(t *testing.T) map[string]string {
	quiet := log.New(io.Discard, "", 0)
	started := func(start func(*httptest.Server)) string {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[]") }))
		s.Config.ErrorLog, s.Config.Protocols = quiet, new(http.Protocols)
		start(s)
		t.Cleanup(s.Close)
		return s.URL + "/v1"
	}
	http1 := func(s *httptest.Server) { s.Config.Protocols.SetHTTP1(true); s.Start() }
	speaking := func(text string) string {
		return started(func(s *httptest.Server) { s.Config.Handler = raw(text); http1(s) })
	}
	secure := started(func(s *httptest.Server) { s.Config.Protocols.SetHTTP1(true); s.StartTLS() })
	return map[string]string{
		"https to http": strings.Replace(started(http1), "http:", "https:", 1),
		"http to https": strings.Replace(secure, "https:", "http:", 1),
		"h2c only":      started(func(s *httptest.Server) { s.Config.Protocols.SetUnencryptedHTTP2(true); s.Start() }),
		"ssh": started(func(s *httptest.Server) {
			s.Config.Handler = raw("Invalid SSH identification string.\r\n")
			s.Config.ConnState = func(c net.Conn, state http.ConnState) {
				if state == http.StateNew {
					fmt.Fprint(c, "SSH-2.0-OpenSSH_9.6\r\n")
				}
			}
			http1(s)
		}),
		"redis":          speaking(strings.Repeat("-ERR unknown command\r\n", 2)),
		"closes at once": speaking(""),
		"refuses":        "http://127.0.0.1:1/v1",
	}
}

// TestNobody: where there is no service nothing was judged. No output says that something holds, is broken or was counted.
func TestNobody(t *testing.T) {
	t.Parallel()
	commands := map[string][]string{"check": {"check"}, "load": {"load", "--minute=200ms", "--phase=read", "--phase=fill"}}
	for name, base := range nobodies(t) {
		for kind, args := range commands {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				code, said, _ := ran(command([]string{"PETCONFORM_KEY=a-key-of-some-length", "NO_COLOR=1"}, os.Args[0], append(args, base, "--out", dir)...))
				if code != verdict.ExitNoVerdict {
					t.Errorf("exit code %d; %d is wanted", code, verdict.ExitNoVerdict)
				}
				out, err := readOutputs(dir)
				noError(t, err)
				wrong := regexp.MustCompile(`SERVICE-3|crash|Broken:|\bholds\b|\d requests?\b|✓|✗`)
				for where, text := range map[string]string{"the terminal": said, reports.SummaryFile: strings.Replace(out.summary, "| secrets | 0 found | 0 found, in every file of the run | holds |", "", 1)} {
					if !strings.Contains(text, "NO VERDICT") || wrong.MatchString(text) {
						t.Errorf("%s says %q:\n%s", where, wrong.FindString(text), text)
					}
				}
				gate := map[string]string{"check": "conformance", "load": "rate limits"}[kind]
				if want := regexp.MustCompile(`\| ` + gate + ` \|.*\| (failed|inconclusive) \|`); !want.MatchString(out.summary) {
					t.Errorf("the gate %s can tell:\n%s", gate, out.summary)
				}
				if out.red(junit.StatusFailed) > 0 || out.red(junit.StatusError) != 1 || !strings.Contains(fmt.Sprint(out.junit), "no service to judge: ") {
					t.Errorf("one error with the reason is wanted in %+v", out.junit)
				}
			})
		}
	}
}
