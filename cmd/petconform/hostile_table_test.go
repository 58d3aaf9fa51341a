package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
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
	// hangs is how long petconform may take to end on any machine.
	hangs = 10 * time.Minute
)

// ended is how a petconform in a process of its own ended, and what it used.
type ended struct {
	took, cpu    time.Duration
	memory, disk int64
	code         int
	said, dir    string
}

func (r ended) String() string {
	return fmt.Sprintf("%.1f s (CPU %.2f s), %d MiB, %d KiB on disk, exit %d", r.took.Seconds(), r.cpu.Seconds(), r.memory>>20, r.disk>>10, r.code)
}

// measured runs petconform in a process of its own, which writes below dir. While it runs, during has what it prints, if that is not
// nil, and its end is measured from the return of during.
func measured(t *testing.T, dir string, env, args []string, during func(ctx context.Context, cmd *exec.Cmd, printed io.Reader)) ended {
	t.Helper()
	peak := filepath.Join(t.TempDir(), "peak")
	cmd := command(append(os.Environ(), append(env, "NO_COLOR=1", "PEAK="+peak)...), os.Args[0], args...)
	var said bytes.Buffer
	r, w := io.Pipe()
	cmd.Stdout = &said
	if during != nil {
		cmd.Stdout = io.MultiWriter(w, &said)
	}
	cmd.Stderr = cmd.Stdout // of one goroutine, as they are one writer
	begun := time.Now()
	noError(t, cmd.Start())
	ctx, over := context.WithCancel(t.Context())
	go func() {
		_ = cmd.Wait() // the exit code is held to below
		over()
	}()
	if during != nil {
		during(ctx, cmd, r)
		begun = time.Now()
	}
	select {
	case <-ctx.Done():
	case <-time.After(hangs):
		_ = cmd.Process.Kill()
		t.Fatalf("it had not ended after %s; it said:\n%s", hangs, said.String())
	}
	state := cmd.ProcessState
	e := ended{took: time.Since(begun), cpu: state.UserTime() + state.SystemTime(), memory: peakOf(t, peak), disk: sizeOf(t, dir),
		code: state.ExitCode(), said: said.String(), dir: dir}
	t.Log(e)
	return e
}

// TestHostileTargets: whatever a target sends, a run ends in bounded time, memory and disk, with the verdict that the target deserves,
// with its report written, and with the key in none of what it writes. go test -v prints what each run took.
func TestHostileTargets(t *testing.T) {
	long.Only(t, "petconform check against 44 hostile targets, in real time")
	computes := make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))
	sideBySide(t, slices.Concat(timeTargets(), framingTargets(), bodyTargets(), keyTargets(), textTargets()), func(t *testing.T, h hostile) {
		if !h.hasty {
			computes <- struct{}{}
			defer func() { <-computes }()
		}
		args := []string{"check", "-v", "--patience", "500ms", "--max-wait", "2s"}
		if h.hasty {
			args = append(args, "--timeout", "500ms")
		}
		h.run(t, reference.Config{Keys: []reference.Key{reference.RandomKey("hostile", spec.Business)}}, args...)
	})
}

// sideBySide runs petconform against all targets at once; most of them wait more than they compute.
func sideBySide(t *testing.T, targets []hostile, run func(*testing.T, hostile)) {
	t.Helper()
	var all sync.WaitGroup
	for _, h := range targets {
		all.Go(func() { t.Run(h.name, func(t *testing.T) { run(t, h) }) })
	}
	all.Wait()
}

// run runs petconform against the target, with its first key, and holds it to the bounds.
func (h hostile) run(t *testing.T, rc reference.Config, args ...string) {
	t.Helper()
	service, err := reference.New(rc)
	noError(t, err)
	key := rc.Keys[0].Secret
	server := httptest.NewServer(h.wrap(service, key.Reveal()))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	dir := t.TempDir()
	r := measured(t, dir, []string{"PETCONFORM_KEY=" + key.Reveal(), "GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "step.md")},
		append(args, "--target", server.URL+"/v1", "--out", filepath.Join(dir, "out")), nil)
	if r.took > mostTime || r.memory > mostMemory || r.disk > mostDisk {
		t.Errorf("%s; at most %s, %d MiB and %d MiB are wanted", r, mostTime, mostMemory>>20, mostDisk>>20)
	}
	in, err := reports.Opening{}.Open(filepath.Join(dir, "out"))
	if err != nil {
		t.Errorf("the report: %v", err)
	}
	text := strings.Join(strings.Fields(r.said), " ") + spec.Join(in.Results.Failed(spec.Must), " ")
	if r.code != exitCodes[h.want] || !strings.Contains(text, h.says) || strings.Contains(text, "fault of its own") || h.leak && !strings.Contains(text, "target sent an API key") {
		t.Errorf("exit code %d; %d and %q were wanted (a warning of the key: %v), in:\n%.4000s", r.code, exitCodes[h.want], h.says, h.leak, r.said)
	}
	found := exchange.NewRedactor(key).Found
	if !h.leak { // petconform itself has the key in one form only
		found = func(data []byte) bool { return bytes.Contains(data, []byte(key.Reveal())) }
	}
	eachFile(t, dir, func(name string, data []byte) {
		if found(data) {
			t.Errorf("the key stands in %s", name)
		}
	})
	if lines := foreignCommands(r.said); len(lines) > 0 || r.code == verdict.ExitDeviates && !strings.Contains(r.said, "\n::error title=") {
		t.Errorf("%q would be workflow commands; annotations alone are wanted", lines)
	}
	if m := unsafe.FindString(r.said); m != "" || found([]byte(r.said)) {
		t.Errorf("%q, or the key, was printed", m)
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

// eachFile reads the files below a folder, for a test or a script.
func eachFile(t interface{ Fatalf(string, ...any) }, dir string, do func(name string, data []byte)) {
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
		t.Fatalf("%v", err)
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
