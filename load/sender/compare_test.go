package sender

import (
	"flag"
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
)

var rounds = flag.Int("rounds", 0, "how many rounds to send against vegeta's library and vegeta's own command")

// roundFor is how long a contestant sends in a round.
const roundFor = time.Second

// tally is what one contestant did in each round.
type tally struct{ perSecond, cpu, size []float64 }

// TestAgainstVegeta sends to one service in turn: our sender, which writes its recording and then the file for vegeta's
// commands too, vegeta's library and vegeta's own command, which write their results. It tells the medians of throughput, CPU time and file size, and asserts nothing:
// a machine's speed is no matter of right and wrong.
func TestAgainstVegeta(t *testing.T) {
	if *rounds == 0 {
		t.Skip("two minutes; run with -v -args -rounds 11")
	}
	address := startService(t)
	contestants := []string{"petconform", "both files", "library"}
	command, why := buildCommand(t)
	if why == "" {
		contestants = append(contestants, "command")
	} else {
		t.Logf("VEGETA'S OWN COMMAND IS LEFT OUT: %s", why)
	}
	for _, rate := range []int{0, 5000} {
		tallies := make([]tally, len(contestants))
		for round := range *rounds {
			for i := range contestants { // whoever comes first in one round comes last in the next
				if round%2 == 1 {
					i = len(contestants) - 1 - i
				}
				tallies[i].add(t, contestants[i], command, address, rate)
			}
		}
		how := "as fast as answers come, 16 workers"
		if rate > 0 {
			how = strconv.Itoa(rate) + " a second"
		}
		base := &tallies[len(tallies)-1]
		for i, m := range tallies {
			t.Logf("%-36s %-10s %6.0f requests/s; CPU %5.1f µs a request (least %5.1f), %.2f of the %s's in the same round; %4.0f bytes of file", how,
				contestants[i], median(m.perSecond), median(m.cpu), slices.Min(m.cpu), median(m.against(base)), contestants[len(contestants)-1], median(m.size))
		}
	}
}

// against gives, round by round, how many times another's CPU time it took: what disturbs a machine for longer than a round
// disturbs both.
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
func (m *tally) add(t *testing.T, name, command, address string, rate int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "results")
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
	before := served(t, address)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	n := served(t, address) - before
	info, err := os.Stat(file)
	if err != nil || n == 0 {
		t.Fatalf("%s sent %v requests (%v)", name, n, err)
	}
	spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	m.perSecond = append(m.perSecond, n/roundFor.Seconds())
	m.cpu = append(m.cpu, float64(spent.Nanoseconds())/1e3/n)
	m.size = append(m.size, float64(info.Size())/n)
}

// startService begins the service as a process of its own, which ends with the test.
func startService(t testing.TB) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envRole+"=service")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = in.Close(), cmd.Wait() })
	address, err := firstLine(out)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func served(t testing.TB, address string) float64 {
	t.Helper()
	resp, err := http.Get("http://" + address + "/served")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseFloat(string(body), 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// buildCommand builds vegeta's own command, of the version that go.mod names, in a module outside of ours: it needs modules
// that we do not. Where that is not possible it says why.
func buildCommand(t *testing.T) (path, why string) {
	t.Helper()
	const module = "github.com/tsenart/vegeta/v12"
	version, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}", module).Output()
	if err != nil {
		return "", "go list -m " + module + ": " + err.Error()
	}
	dir := t.TempDir()
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
