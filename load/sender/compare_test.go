package sender

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec/client"
)

// In the comparison with vegeta each sender is a process of its own, so that its CPU time is apart from that of the service.
// Ours is this test binary, and the environment has the target, the file for the recording, and the requests a second.
const envTarget, envFile, envRate = "PETCONFORM_TEST_TARGET", "PETCONFORM_TEST_FILE", "PETCONFORM_TEST_RATE"

func TestMain(m *testing.M) {
	if os.Getenv(envTarget) == "" {
		os.Exit(m.Run())
	}
	if err := sendOurs(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// roundFor is how long a sender sends in a round: 3 s, of which the start of a process is little. workers is the largest number
// of requests that it has in flight.
const roundFor, workers = 3 * time.Second, 16

// sendOurs sends as a load run does: with both keys removed from responses and a recording. A rate of 0 is as fast as responses
// come.
func sendOurs() error {
	rate, err := strconv.Atoi(os.Getenv(envRate))
	file, created := os.Create(os.Getenv(envFile))
	if err := errors.Join(err, created); err != nil {
		return err
	}
	s, _ := senderOver(os.Getenv(envTarget), client.NewTransport(64), file)
	s.Timeout = client.DefaultTimeout
	a := Attack{Phase: record.Fill, Round: 1, Next: lists, Workers: workers}
	if rate > 0 {
		a.Interval = time.Second / time.Duration(rate)
	}
	ctx, cancel := context.WithTimeout(context.Background(), roundFor)
	defer cancel()
	return errors.Join(s.Run(ctx, a), file.Close())
}

// BenchmarkAgainstVegeta sends to one service by turns: our sender, which writes its recording, and vegeta's own command, which
// writes its results. One iteration is a round of three seconds each, as fast as responses come and at 5,000 requests a second.
// It reports medians: requests/s, CPU µs a request, and how many times vegeta's CPU ours was in the same round.
//
//	go test ./load/sender -run '^$' -bench AgainstVegeta -benchtime 11x
func BenchmarkAgainstVegeta(b *testing.B) {
	var served atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		answer(w, r)
	}))
	defer server.Close()
	target, vegeta := server.URL+"/v1", buildCommand(b)
	for _, rate := range []int{0, 5000} {
		b.Run(fmt.Sprintf("rate=%d", rate), func(b *testing.B) {
			var perSecond, cpu [2][]float64
			var times []float64
			for round := range b.N {
				for i := range 2 {
					i = (i + round) % 2 // who comes first in one round comes last in the next
					file := filepath.Join(b.TempDir(), "results")
					cmd := exec.Command(os.Args[0])
					cmd.Env = append(os.Environ(), envTarget+"="+target, envFile+"="+file, envRate+"="+strconv.Itoa(rate))
					if i == 1 {
						cmd = exec.Command(vegeta, "attack", "-prometheus-addr", "", "-output", file, "-rate", strconv.Itoa(rate), "-duration", roundFor.String(),
							"-workers", "8", "-max-workers", strconv.Itoa(workers), "-connections", "64", "-max-connections", "64", "-header", "Accept: application/json",
							"-header", "Accept-Encoding: gzip", "-header", "User-Agent: test", "-header", "Authorization: Bearer "+key)
						cmd.Stdin = strings.NewReader("GET " + target + "/pets\n")
					}
					before := served.Load()
					if out, err := cmd.CombinedOutput(); err != nil {
						b.Fatalf("%v: %s", err, out)
					}
					n, spent := float64(served.Load()-before), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
					perSecond[i], cpu[i] = append(perSecond[i], n/roundFor.Seconds()), append(cpu[i], float64(spent.Nanoseconds())/1e3/n)
				}
				times = append(times, cpu[0][round]/cpu[1][round])
			}
			for i, name := range []string{"petconform", "vegeta"} {
				b.ReportMetric(median(perSecond[i]), name+"-req/s")
				b.ReportMetric(median(cpu[i]), name+"-cpu-µs/req")
			}
			b.ReportMetric(median(times), "times-cpu")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median(all []float64) float64 { return slices.Sorted(slices.Values(all))[len(all)/2] }

// buildCommand builds vegeta's own command, of the version in go.mod. It does so in a separate module, since the command needs
// modules that this one does not.
func buildCommand(b testing.TB) (path string) {
	b.Helper()
	const module = "github.com/tsenart/vegeta/v12"
	dir := b.TempDir()
	path = filepath.Join(dir, "vegeta")
	version, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}", module).Output()
	if err != nil {
		b.Skip(err)
	}
	for _, args := range [][]string{
		{"mod", "init", "vegeta.test"}, {"get", module + "@" + strings.TrimSpace(string(version))}, {"build", "-o", path, module},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Skipf("go %s: %v: %s", strings.Join(args, " "), err, out)
		}
	}
	return path
}
