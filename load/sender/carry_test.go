package sender

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

var carry = flag.Duration("carry", 0, "how long to load many keys from one core, each at its plan's rate")

const envKeys = "PETCONFORM_TEST_KEYS"

// carried is what a process that loads many keys tells of itself.
type carried struct {
	Requests            int
	Wall, Median, Worst time.Duration // Worst is what 99 of 100 requests were not later than
	PerKey              int64         // bytes in use for each key, at the end of the run, beside the records
}

// TestKeysACoreCarries loads keys at the rate of their plan from a process that has one core, and the service in another. It
// tells the share of the core that was used, and so how many keys fill it.
func TestKeysACoreCarries(t *testing.T) {
	if *carry == 0 {
		t.Skip("run with -v -args -carry 20s")
	}
	address := startService(t)
	for _, c := range []struct {
		plan spec.Plan
		keys int
	}{{spec.Business, 300}, {spec.Business, 600}, {spec.Business, 900}, {spec.Free, 5000}, {spec.Free, 10000}} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1", envRole+"=keys", envTarget+"=http://"+address+"/v1", envFile+"="+filepath.Join(t.TempDir(), "recording"),
			envRate+"="+strconv.FormatInt(c.plan.PerMinute, 10), envKeys+"="+strconv.Itoa(c.keys), envFor+"="+carry.String())
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		var did carried
		if err == nil {
			err = json.Unmarshal(out, &did)
		}
		if err != nil {
			t.Fatalf("%d %s keys: %v: %s", c.keys, c.plan.Name, err, out)
		}
		share := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds() / did.Wall.Seconds()
		rate, each := float64(did.Requests)/did.Wall.Seconds(), float64(c.plan.PerMinute)/60
		t.Logf("%5d %-8s keys: %6.0f requests/s of %6.0f planned, %3.0f %% of the core, so a whole one carries %6.0f; late by %6s (median), %6s (99 of 100); %d bytes a key",
			c.keys, c.plan.Name, rate, float64(c.keys)*each, 100*share, rate/share/each, did.Median.Round(time.Microsecond),
			did.Worst.Round(time.Microsecond), did.PerKey)
	}
}

// sendKeys is the process that loads the keys: over one transport into one recording, as a run does.
func sendKeys() error {
	perMinute, span, file, err := told()
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(os.Getenv(envKeys))
	if err != nil {
		return err
	}
	before := inUse()
	own, clean, other := make([]exchange.Secret, n), make([]*exchange.Redactor, n), exchange.NewSecret("other-"+key)
	for i := range n {
		own[i] = exchange.NewSecret(fmt.Sprint(key, i))
		clean[i] = exchange.NewRedactor(own[i], other)
	}
	rec := &record.Recording{Meta: exchange.Meta{Started: time.Now(), Target: os.Getenv(envTarget)}, Lanes: make([]record.Lane, n)}
	w, err := record.NewWriter(file, rec)
	if err != nil {
		return err
	}
	var sent atomic.Int64
	c := record.NewCollector(rec, func(_ *record.Record, n int) { sent.Store(int64(n)) }, w)
	clock, transport := NewClock(rec.Meta.Started, nil, c.Note), client.NewTransport(client.DefaultConnections)
	interval := time.Minute / time.Duration(perMinute)
	ctx, cancel := context.WithTimeout(context.Background(), interval+span)
	defer cancel()
	var wg sync.WaitGroup
	for i := range n {
		s := &Sender{Base: os.Getenv(envTarget), Key: own[i], Lane: i, Clean: clean[i], Transport: transport,
			Timeout: 30 * time.Second, UserAgent: "test", Clock: clock, Collector: c}
		wg.Go(func() {
			time.Sleep(time.Until(rec.Meta.Started.Add(interval * time.Duration(i) / time.Duration(n))))
			_, _ = s.Run(ctx, Attack{Phase: record.Under, Round: 1, Next: lists, Interval: interval, Workers: workers, Gate: &Gate{}, Forget: true})
		})
	}
	time.Sleep(interval + span - time.Second/2)
	perKey := (inUse() - before - 64*sent.Load()) / int64(n)
	wg.Wait()
	did := carried{Requests: rec.Records.Len(), Wall: time.Since(rec.Meta.Started), PerKey: perKey}
	var late []time.Duration
	for r := range rec.Records.All() {
		late = append(late, r.Lag())
	}
	slices.Sort(late)
	did.Median, did.Worst = late[len(late)/2], late[len(late)*99/100]
	return json.NewEncoder(os.Stdout).Encode(did)
}

// inUse is the memory in use, with the goroutines' stacks.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
