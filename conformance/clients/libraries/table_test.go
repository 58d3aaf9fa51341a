// Package libraries tries what HTTP client libraries do by default with the pet adoption service, and with better
// settings. It writes the table of README.md. It is a module of its own: petconform does not depend on the
// libraries.
package libraries

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// A row is a library with one choice of settings; command is followed by the library, the settings and the steps.
type row struct {
	command           []string
	library, settings string
	text              string // the settings as a reader would say them
}

var (
	goClient     = []string{self(), "client"}
	nodeClient   = []string{"node", "node/clients.mjs"}
	pythonClient = []string{cmp.Or(os.Getenv("PYTHON"), "python3"), "python/clients.py"}
	javaClient   = []string{"java", "-cp", "build:" + os.Getenv("JARS") + "/*", "Clients"}
	curlClient   = []string{"bash", "curl/clients.sh"}
)

var rows = []row{
	{goClient, "net/http", "default", "default"},
	{goClient, "go-retryablehttp", "default", "default"},
	{goClient, "go-retryablehttp", "mended", "mended"},
	{nodeClient, "fetch", "default", "default"},
	{nodeClient, "undici", "default", "`RetryAgent`, default"},
	{nodeClient, "undici", "mended", "`RetryAgent`, mended"},
	{nodeClient, "axios", "default", "default"},
	{nodeClient, "axios-retry", "default", "default"},
	{nodeClient, "axios-retry", "usual", "`retryDelay` of one's own, all errors"},
	{nodeClient, "axios-retry", "mended", "mended"},
	{nodeClient, "got", "default", "default"},
	{nodeClient, "got", "mended", "mended"},
	{nodeClient, "ky", "default", "default"},
	{nodeClient, "ky", "mended", "mended"},
	{pythonClient, "requests", "default", "default"},
	{pythonClient, "requests", "usual", "`Retry(3, status_forcelist=[429, 503])`"},
	{pythonClient, "requests", "mended", "mended"},
	{pythonClient, "httpx", "default", "default"},
	{pythonClient, "httpx", "usual", "`HTTPTransport(retries=3)`"},
	{curlClient, "curl", "default", "default, and jq"},
	{curlClient, "curl", "usual", "`--retry 3`, and jq"},
	{curlClient, "curl", "delay", "`--retry 3 --retry-delay 1`, and jq"},
	{curlClient, "curl", "all", "`--retry 3 --retry-all-errors`, and jq"},
	{curlClient, "curl", "mended", "mended"},
	{javaClient, "java.net.http", "default", "default, and Gson into a class"},
	{javaClient, "okhttp", "default", "default, and Gson into a Map"},
	{javaClient, "okhttp", "mended", "mended"},
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	return path
}

// try runs the row's client in the situation and says what came of it.
func try(r row, s situation, service *service) string {
	v := service.visit(s)
	ctx, cancel := context.WithTimeout(context.Background(), s.wait+30*time.Second)
	defer cancel()
	args := append(append(append([]string{}, r.command[1:]...), r.library, r.settings), s.steps...)
	cmd := exec.CommandContext(ctx, r.command[0], args...)
	cmd.Env = append(os.Environ(), "PETCONFORM_TARGET="+v.url, "PETCONFORM_KEY=key", "NODE_NO_WARNINGS=1")
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		log.Fatalf("%s %s %v: %v\n%s%s", r.library, r.settings, s.steps, err, out, stderr.Bytes())
	}
	answers := strings.Fields(string(out))
	if len(answers) != len(s.steps) {
		log.Fatalf("%s %s %v printed %q", r.library, r.settings, s.steps, out)
	}
	return v.verdict(strings.HasPrefix(answers[len(answers)-1], "2"))
}

func table() string {
	service := newService()
	cells := make([][]string, len(rows))
	var all sync.WaitGroup
	few := make(chan bool, 4) // at most four clients at work; those that sleep through the long wait come extra
	for i, r := range rows {
		cells[i] = make([]string, len(situations))
		for j, s := range situations {
			all.Go(func() {
				if !s.long {
					few <- true
					defer func() { <-few }()
				}
				cells[i][j] = try(r, s, service)
			})
		}
	}
	all.Wait()
	var b strings.Builder
	b.WriteString("| library | settings |")
	for _, s := range situations {
		b.WriteString(" " + s.title + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(situations)) + "\n")
	for i, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.library, r.text, strings.Join(cells[i], " | "))
	}
	return b.String()
}

// mends copies the mended settings out of the clients' sources, so that what README.md shows is what was tried.
func mends() string {
	var b strings.Builder
	block := regexp.MustCompile(`(?s)[ \t]*(?://|#) mend ([^\n]*)\n(.*?)\n[ \t]*(?://|#) end\n`)
	for _, f := range []struct{ path, language string }{
		{"clients_test.go", "go"}, {"node/clients.mjs", "js"}, {"python/clients.py", "python"},
		{"curl/clients.sh", "sh"}, {"java/Clients.java", "java"},
	} {
		source, err := os.ReadFile(f.path)
		if err != nil {
			log.Fatal(err)
		}
		for _, m := range block.FindAllStringSubmatch(string(source), -1) {
			indent := regexp.MustCompile(`^[ \t]*`).FindString(m[2])
			code := strings.ReplaceAll("\n"+m[2], "\n"+indent, "\n")
			fmt.Fprintf(&b, "%s:\n\n```%s%s\n```\n\n", m[1], f.language, code)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

var versions = flag.String("versions", "", "versions of the libraries, for README.md")

// TestMain is also the Go client that the tests start.
func TestMain(m *testing.M) {
	log.SetFlags(0)
	if len(os.Args) > 1 && os.Args[1] == "client" {
		client(os.Args[2], os.Args[3], os.Args[4:])
		return
	}
	os.Exit(m.Run())
}

// TestTable tries the libraries, and writes the table and the settings that were tried into README.md.
func TestTable(t *testing.T) {
	write(t, "table", fmt.Sprintf("Made on %s with\n%s.\n\n%s", time.Now().UTC().Format("2 January 2006"), *versions, table()))
	write(t, "settings", mends())
}

// write replaces the part of README.md between two markers.
func write(t *testing.T, marker, content string) {
	readme, err := os.ReadFile("README.md")
	first, last := "<!-- "+marker+" -->\n", "<!-- end of "+marker+" -->"
	before, rest, begins := strings.Cut(string(readme), first)
	_, after, ends := strings.Cut(rest, last)
	if err != nil || !begins || !ends {
		t.Fatalf("README.md has no markers for the %s (%v)", marker, err)
	}
	if err := os.WriteFile("README.md", []byte(before+first+content+last+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
