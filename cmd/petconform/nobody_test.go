package main

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
	plain := started(func(s *httptest.Server) { s.Config.Protocols.SetHTTP1(true); s.Start() })
	secure := started(func(s *httptest.Server) { s.Config.Protocols.SetHTTP1(true); s.StartTLS() })
	return map[string]string{
		"https to http": strings.Replace(plain, "http:", "https:", 1),
		"http to https": strings.Replace(secure, "https:", "http:", 1),
		"h2c only":      started(func(s *httptest.Server) { s.Config.Protocols.SetUnencryptedHTTP2(true); s.Start() }),
		"ssh": speaking(t, func(c net.Conn) {
			fmt.Fprint(c, "SSH-2.0-OpenSSH_9.6\r\n")
			_, _ = bufio.NewReader(c).ReadString('\n') // whatever it is
			fmt.Fprint(c, "Invalid SSH identification string.\r\n")
		}),
		"redis": speaking(t, func(c net.Conn) {
			for lines := bufio.NewScanner(c); lines.Scan() && !strings.HasPrefix(lines.Text(), "Host:"); {
				fmt.Fprintf(c, "-ERR unknown command '%s'\r\n", lines.Text())
			}
		}),
		"closes at once": speaking(t, func(net.Conn) {}),
		"refuses":        "http://127.0.0.1:1/v1",
	}
}

// speaking serves each connection by itself, and closes it.
func speaking(t *testing.T, serve func(net.Conn)) (base string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/v1"
}

// TestNobody: where there is no service nothing was judged. No output says that something holds, is broken or was counted.
func TestNobody(t *testing.T) {
	t.Parallel()
	commands := map[string][]string{"check": {"check"}, "load": {"load", "--minute=200ms", "--phase=read", "--phase=fill"}}
	for name, base := range nobodies(t) {
		for command, args := range commands {
			t.Run(name+"/"+command, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				cmd := exec.Command(os.Args[0], append(args, base, "--out", dir)...)
				cmd.Args[0], cmd.Env = "petconform", []string{"PETCONFORM_KEY=a-key-of-some-length", "NO_COLOR=1"}
				said, err := cmd.Output()
				if code := exitCode(t, err); code != verdict.ExitNoVerdict {
					t.Errorf("exit code %d; %d is wanted", code, verdict.ExitNoVerdict)
				}
				summary, err := os.ReadFile(filepath.Join(dir, reports.SummaryFile))
				if err != nil {
					t.Fatal(err)
				}
				wrong := regexp.MustCompile(`SERVICE-3|crash|Broken:|\bholds\b|\d requests?\b|✓|✗`)
				for where, text := range map[string]string{"the terminal": string(said), reports.SummaryFile: strings.Replace(string(summary), "| secrets | 0 found | 0 found, in every file of the run | holds |", "", 1)} {
					if !strings.Contains(text, "NO VERDICT") || wrong.MatchString(text) {
						t.Errorf("%s says %q:\n%s", where, wrong.FindString(text), text)
					}
				}
				if want := regexp.MustCompile(`\| conformance \|.*\| (failed|inconclusive) \|`); !want.Match(summary) {
					t.Errorf("the gate conformance can tell:\n%s", summary)
				}
				oneError(t, filepath.Join(dir, reports.JUnitFile), "no service to judge: ")
			})
		}
	}
}

// oneError wants a JUnit file without failures to have one error, which says why.
func oneError(t *testing.T, name, why string) {
	t.Helper()
	var all struct {
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Suites   []struct {
			Cases []struct {
				Error *struct {
					Message string `xml:"message,attr"`
				} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	data, err := os.ReadFile(name)
	if err == nil {
		err = xml.Unmarshal(data, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, s := range all.Suites {
		for _, c := range s.Cases {
			if c.Error != nil {
				said = append(said, c.Error.Message)
			}
		}
	}
	if all.Failures > 0 || all.Errors != 1 || len(said) != 1 || !strings.Contains(said[0], why) {
		t.Errorf("%d failures and %d errors, %q; one error with %q is wanted", all.Failures, all.Errors, said, why)
	}
}
