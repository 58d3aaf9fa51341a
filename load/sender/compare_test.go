package sender

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// roundFor is how long a contestant sends in a round: 3 s, of which the start of a process is little.
const roundFor = 3 * time.Second

// tally is what one contestant did in each round.
type tally struct{ perSecond, cpu []float64 }

// BenchmarkAgainstVegeta sends to one service by turns: our sender, which writes its recording, vegeta's library and vegeta's own command, which write their results. One iteration is a round of three seconds each,
// as fast as responses come and at 5,000 requests a second. It reports medians: requests/s, CPU µs a request, and how many
// times the last contestant's CPU that was in the same round.
//
//	go test ./load/sender -run '^$' -bench AgainstVegeta -benchtime 11x
func BenchmarkAgainstVegeta(b *testing.B) {
	address := startService(b)
	contestants := []string{"petconform", "library"}
	command, why := buildCommand(b)
	if why == "" {
		contestants = append(contestants, "command")
	} else {
		b.Logf("without vegeta's own command: %s", why)
	}
	for _, rate := range []int{0, 5000} {
		b.Run(fmt.Sprintf("rate=%d", rate), func(b *testing.B) {
			tallies := make([]tally, len(contestants))
			for round := range b.N {
				for i := range contestants { // who comes first in one round comes last in the next
					if round%2 == 1 {
						i = len(contestants) - 1 - i
					}
					tallies[i].add(b, contestants[i], command, address, rate)
				}
			}
			base := &tallies[len(tallies)-1]
			for i, m := range tallies {
				b.ReportMetric(median(m.perSecond), contestants[i]+"-req/s")
				b.ReportMetric(median(m.cpu), contestants[i]+"-cpu-µs/req")
				b.ReportMetric(median(m.against(base)), contestants[i]+"-times-cpu")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkLateness reports how much later than planned requests are sent at 1,000 a second, by our pacer and by vegeta's, and
// the most that each sends within 100 ms after a stall of a second at 100 a second.
//
//	go test ./load/sender -run '^$' -bench Lateness -benchtime 5000x
func BenchmarkLateness(b *testing.B) {
	for _, p := range []struct {
		name string
		make func(perSecond int) vegeta.Pacer
	}{
		{"ours", func(n int) vegeta.Pacer { return &Pacer{Interval: time.Second / time.Duration(n), Stop: b.Context()} }},
		{"vegeta", func(n int) vegeta.Pacer { return vegeta.ConstantPacer{Freq: n, Per: time.Second} }},
	} {
		b.Run(p.name, func(b *testing.B) {
			pacer, begun := p.make(1000), time.Now()
			late := make([]float64, b.N)
			for i := range b.N {
				wait, _ := pacer.Pace(time.Since(begun), uint64(i))
				time.Sleep(wait)
				due := begun.Add(time.Duration(i) * time.Millisecond)
				if ours, ok := pacer.(*Pacer); ok { // whose schedule moves after a stall
					due = ours.Planned()
				}
				late[i] = float64(time.Since(due).Microseconds())
			}
			b.ReportMetric(median(late), "µs-late")
			b.ReportMetric(slices.Sorted(slices.Values(late))[len(late)*99/100], "µs-late-p99")
			b.ReportMetric(float64(most(hits(p.make(100), time.Second), 100*time.Millisecond)), "in-100ms-after-stall")
		})
	}
}

// against returns the ratio of its CPU time to another's in each round. A disturbance that lasts longer than a round affects both.
func (m *tally) against(other *tally) []float64 {
	ratios := slices.Clone(m.cpu)
	for i := range ratios {
		ratios[i] /= other.cpu[i]
	}
	return ratios
}

func median(all []float64) float64 {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// add lets a contestant send for one round.
func (m *tally) add(b testing.TB, name, command, address string, rate int) {
	b.Helper()
	file := filepath.Join(b.TempDir(), "results")
	target := "http://" + address + "/v1"
	var cmd *exec.Cmd
	if name == "command" {
		cmd = exec.Command(command, commandLine(rate, roundFor, file)...)
		cmd.Stdin = strings.NewReader("GET " + target + "/pets\n")
	} else {
		cmd = exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), envRole+"="+name, envTarget+"="+target, envFile+"="+file,
			envRate+"="+strconv.Itoa(rate), envFor+"="+roundFor.String())
	}
	before := served(b, address)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s: %v: %s", name, err, out)
	}
	n := served(b, address) - before
	if n == 0 {
		b.Fatalf("%s sent nothing", name)
	}
	spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	m.perSecond = append(m.perSecond, n/roundFor.Seconds())
	m.cpu = append(m.cpu, float64(spent.Nanoseconds())/1e3/n)
}

// startService begins the service as a process of its own, which ends with the test.
func startService(b testing.TB) string {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envRole+"=service")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _, _ = in.Close(), cmd.Wait() })
	address, err := firstLine(out)
	if err != nil {
		b.Fatal(err)
	}
	return address
}

func served(b testing.TB, address string) float64 {
	b.Helper()
	resp, err := http.Get("http://" + address + "/served")
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	n, err := strconv.ParseFloat(string(body), 64)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// buildCommand builds vegeta's own command, of the version in go.mod. It does so in a separate module, since the command needs modules that
// this one does not. why is the reason if it can't be built.
func buildCommand(b testing.TB) (path, why string) {
	b.Helper()
	const module = "github.com/tsenart/vegeta/v12"
	version, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}", module).Output()
	if err != nil {
		return "", "go list -m " + module + ": " + err.Error()
	}
	dir := b.TempDir()
	path = filepath.Join(dir, "vegeta")
	for _, args := range [][]string{
		{"mod", "init", "vegeta.test"}, {"get", module + "@" + strings.TrimSpace(string(version))}, {"build", "-o", path, module},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", "go " + strings.Join(args, " ") + ": " + err.Error() + ": " + string(out)
		}
	}
	return path, ""
}
