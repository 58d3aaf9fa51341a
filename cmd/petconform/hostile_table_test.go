package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"petconform/reports"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// The bounds that any target is held to. The time is ten times what a run takes on an idle machine, with the time-outs scaled (see
// timeTargets).
const (
	mostMemory = 256 << 20
	mostDisk   = 64 << 20
	mostTime   = 5 * time.Minute
)

// hostileRow is a line of the hostile table.
type hostileRow struct {
	name   string
	took   time.Duration
	cpu    time.Duration
	memory int64
	disk   int64
	code   int
	line   string

	said, dir string
	key       exchange.Secret
}

func (r hostileRow) String() string {
	return fmt.Sprintf("%-42s %6.1f s (CPU %4.2f s) %5d MiB %8d KiB  exit %d  %s", r.name, r.took.Seconds(), r.cpu.Seconds(), r.memory>>20, r.disk>>10, r.code, r.line)
}

// TestHostileTargets: whatever a target sends, a run ends in bounded time, memory and disk, with the verdict that the target deserves,
// with its report written, and with the key in none of what it writes. go test -v prints the table.
func TestHostileTargets(t *testing.T) {
	long.Only(t, "petconform check against 80 hostile targets, in real time")
	computes := make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))
	tabulate(t, slices.Concat(timeTargets(), framingTargets(), bodyTargets(), keyTargets(), textTargets()), func(t *testing.T, h hostile) hostileRow {
		if !h.hasty {
			computes <- struct{}{}
			defer func() { <-computes }()
		}
		return h.check(t)
	})
}

// tabulate runs petconform against each target, side by side, and prints the table.
func tabulate(t *testing.T, targets []hostile, run func(*testing.T, hostile) hostileRow) {
	t.Helper()
	var mu sync.Mutex
	var table []hostileRow
	var all sync.WaitGroup
	for _, h := range targets {
		all.Go(func() {
			t.Run(h.name, func(t *testing.T) {
				r := run(t, h)
				mu.Lock()
				defer mu.Unlock()
				table = append(table, r)
			})
		})
	}
	all.Wait()
	slices.SortFunc(table, func(a, b hostileRow) int { return strings.Compare(a.name, b.name) })
	for _, r := range table {
		t.Log(r)
	}
}

// business configures a reference service with one key.
func business() reference.Config {
	return reference.Config{Keys: []reference.Key{reference.RandomKey("hostile", spec.Business)}}
}

// arguments are those of petconform check against the target.
func (h hostile) arguments(target, dir string) []string {
	args := []string{"check", "--target", target, "--out", filepath.Join(dir, "out"), "--patience", "500ms", "--max-wait", "2s"}
	if h.hasty {
		args = append(args, "--timeout", "500ms")
	}
	return args
}

// check runs petconform check against the target in a process of its own.
func (h hostile) check(t *testing.T) hostileRow {
	t.Helper()
	r := h.run(t, business(), h.arguments)
	h.holds(t, r)
	return r
}

// serve starts the target, with the first key of rc, and returns its base address and that key.
func (h hostile) serve(t *testing.T, rc reference.Config) (string, exchange.Secret) {
	t.Helper()
	service, err := reference.New(rc)
	if err != nil {
		t.Fatal(err)
	}
	key := rc.Keys[0].Secret
	server := httptest.NewServer(h.wrap(service, key.Reveal()))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return server.URL + "/v1", key
}

// run runs petconform in a process of its own, with the first key of the target, and holds it to the bounds.
func (h hostile) run(t *testing.T, rc reference.Config, args func(target, dir string) []string) hostileRow {
	t.Helper()
	target, key := h.serve(t, rc)
	dir, peak := t.TempDir(), filepath.Join(t.TempDir(), "peak")
	cmd := command(append(os.Environ(), "PETCONFORM_KEY="+key.Reveal(), "NO_COLOR=1", "GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "step.md"), "PEAK="+peak),
		os.Args[0], args(target, dir)...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	begun := time.Now()
	_ = cmd.Run() // the exit code is held to below
	r := hostileRow{name: h.name, took: time.Since(begun), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), code: cmd.ProcessState.ExitCode(),
		memory: peakOf(t, peak), disk: sizeOf(t, dir), line: lineOf(said.String()), said: said.String(), dir: dir, key: key}
	if r.took > mostTime || r.memory > mostMemory || r.disk > mostDisk {
		t.Errorf("%s; at most %s, %d MiB and %d MiB are wanted", r, mostTime, mostMemory>>20, mostDisk>>20)
	}
	text := strings.Join(strings.Fields(r.said), " ")
	if r.code != exitCodes[h.want] || !strings.Contains(text, h.says) || strings.Contains(text, "fault of its own") || h.leak && !strings.Contains(text, "API key back") {
		t.Errorf("exit code %d; %d and %q were wanted (a warning of the key: %v), in:\n%.4000s", r.code, exitCodes[h.want], h.says, h.leak, r.said)
	}
	if _, err := (reports.Opening{}).Open(filepath.Join(dir, "out")); err != nil {
		t.Errorf("the report: %v", err)
	}
	return r
}

// TestTheSecondInterrupt: a process that does not hear the first interrupt ends at the second.
func TestTheSecondInterrupt(t *testing.T) {
	cmd := command(append(os.Environ(), "PLANT=judging:1:stuck"), os.Args[0], "check", "--out", t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	watch := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // how it ended is held to below
	if !watch.Stop() || cmd.ProcessState.ExitCode() != verdict.ExitNoVerdict {
		t.Errorf("it ended with %s; exit code %d was wanted", cmd.ProcessState, verdict.ExitNoVerdict)
	}
}

// holds looks for the key in what was printed and written, and for what a terminal or a pipeline would obey.
func (h hostile) holds(t *testing.T, r hostileRow) {
	t.Helper()
	said, key := r.said, r.key
	found := exchange.NewRedactor(key).Found
	if !h.leak { // petconform itself has the key in one form only
		found = func(data []byte) bool { return bytes.Contains(data, []byte(key.Reveal())) }
	}
	if found([]byte(said)) {
		t.Error("the key stands in what was printed")
	}
	eachFile(t, r.dir, func(name string, data []byte) {
		if found(data) {
			t.Errorf("the key stands in %s", name)
		}
	})
	if lines := foreignCommands(said); len(lines) > 0 || r.code == verdict.ExitDeviates && !strings.Contains(said, "\n::error title=") {
		t.Errorf("%q would be workflow commands; annotations alone are wanted", lines)
	}
	if m := unsafe.FindString(said); m != "" {
		t.Errorf("%q was printed", m)
	}
}

// foreignCommands returns the lines that GitHub Actions would take for a workflow command although they are no annotation of ours.
func foreignCommands(said string) (foreign []string) {
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		ours := strings.HasPrefix(line, "::error title=") || strings.HasPrefix(line, "::warning title=")
		if !ours && (strings.HasPrefix(line, "::") || strings.Contains(line, "##[")) {
			foreign = append(foreign, line)
		}
	}
	return foreign
}

// unsafe matches what acts on a terminal or on the order of reading.
var unsafe = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

// lineOf is the line that has the verdict, or else the first.
func lineOf(said string) string {
	first := ""
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "petconform: ") || strings.HasPrefix(line, "- ") {
			return line[:min(len(line), 120)]
		}
		if strings.Contains(line, "CONFORMS") || strings.Contains(line, "DEVIATES") || strings.Contains(line, "NO VERDICT") {
			first = line
		}
	}
	return first
}

func eachFile(t *testing.T, dir string, do func(name string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err == nil {
			do(name, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func sizeOf(t *testing.T, dir string) (size int64) {
	t.Helper()
	eachFile(t, dir, func(_ string, data []byte) { size += int64(len(data)) })
	return size
}

// peakOf reads the peak memory that a petconform process wrote as it ended; see tellPeak. It is 0 where the system does not tell.
func peakOf(t *testing.T, name string) int64 {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil && runtime.GOOS == "linux" {
		t.Errorf("the peak memory: %v", err)
	}
	n, _ := strconv.ParseInt(string(data), 10, 64)
	return n
}

// tellPeak writes the peak of this process's own memory into the file that PEAK names. What a parent learns from wait4 would include
// its own memory, since the process began as a copy of it.
func tellPeak() {
	status, err := os.ReadFile("/proc/self/status")
	m := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status)
	if name := os.Getenv("PEAK"); name != "" && err == nil && m != nil {
		n, _ := strconv.ParseInt(string(m[1]), 10, 64)
		_ = os.WriteFile(name, fmt.Append(nil, n<<10), 0o600) // the test tells that it is missing
	}
}
