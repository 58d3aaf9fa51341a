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
	Requests int
	Wall     time.Duration
	// Median and Most are how late requests were: half of them, and 99 of 100, not later than this.
	Median, Most time.Duration
	// PerKey is the memory in use for each key while it is loaded, in bytes, beside the records.
	PerKey int64
}

// TestKeysACoreCarries loads keys at the rate of their plan from a process that has one core, and the service in another. It
// tells the share of the core that was used, and so how many keys fill it. What it takes to begin, once for each key, is
// measured in a brief run and left out.
func TestKeysACoreCarries(t *testing.T) {
	if *carry == 0 {
		t.Skip("two minutes; run with -v -args -carry 20s")
	}
	address := startService(t)
	for _, c := range []struct {
		plan spec.Plan
		keys int
	}{{spec.Business, 300}, {spec.Business, 600}, {spec.Business, 900}, {spec.Free, 5000}, {spec.Free, 10000}} {
		brief, begun := load(t, address, c.plan, c.keys, time.Second)
		did, cpu := load(t, address, c.plan, c.keys, time.Second+*carry)
		span := (did.Wall - brief.Wall).Seconds()
		share := (cpu - begun).Seconds() / span
		rate, each := float64(did.Requests-brief.Requests)/span, float64(c.plan.PerMinute)/60
		t.Logf("%5d %-8s keys: %6.0f requests/s of %6.0f planned, %3.0f %% of the core, so a whole one carries %6.0f; late by %6s (median), %6s (99 of 100); %d bytes a key",
			c.keys, c.plan.Name, rate, float64(c.keys)*each, 100*share, rate/share/each, did.Median.Round(time.Microsecond),
			did.Most.Round(time.Microsecond), did.PerKey)
	}
}

// load lets a process load keys, and gives what it did and the CPU time that it took.
func load(t *testing.T, address string, plan spec.Plan, keys int, span time.Duration) (did carried, cpu time.Duration) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", envRole+"=keys", envTarget+"=http://"+address+"/v1", envFile+"="+filepath.Join(t.TempDir(), "recording"),
		envRate+"="+strconv.FormatInt(plan.PerMinute, 10), envKeys+"="+strconv.Itoa(keys), envFor+"="+span.String())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &did)
	}
	if err != nil {
		t.Fatalf("%d %s keys: %v: %s", keys, plan.Name, err, out)
	}
	return did, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
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
	defer Ballast()()
	before := inUse()
	senders := make([]*Sender, n)
	transport, other := client.NewTransport(client.DefaultConnections), exchange.NewSecret("other-"+key)
	for i := range senders {
		own := exchange.NewSecret(fmt.Sprint(key, i))
		senders[i] = &Sender{Base: os.Getenv(envTarget), Key: own, Lane: i, Clean: exchange.NewRedactor(own, other),
			Transport: transport, Timeout: 30 * time.Second, UserAgent: "test"}
	}
	rec := &record.Recording{Meta: exchange.Meta{Started: time.Now(), Target: os.Getenv(envTarget)}, Lanes: make([]record.Lane, n)}
	w, err := record.NewWriter(file, rec)
	if err != nil {
		return err
	}
	var ended atomic.Int64
	c := record.NewCollector(rec, func(*record.Record, int) { ended.Add(1) }, w)
	clock := NewClock(rec.Meta.Started, nil, c.Note)
	all := sendAll(senders, clock, c, time.Minute/time.Duration(perMinute), span)
	time.Sleep(span)
	perKey := (inUse() - before - 64*ended.Load()) / int64(n)
	all.Wait()
	did := carried{Requests: rec.Records.Len(), Wall: clock.Now(), PerKey: perKey}
	var late []time.Duration
	for r := range rec.Records.All() {
		late = append(late, r.Lag())
	}
	slices.Sort(late)
	did.Median, did.Most = late[len(late)/2], late[len(late)*99/100]
	return json.NewEncoder(os.Stdout).Encode(did)
}

// sendAll begins to send for every key, spread over the interval.
func sendAll(senders []*Sender, clock *Clock, c *record.Collector, interval, span time.Duration) *sync.WaitGroup {
	ctx, cancel := context.WithTimeout(context.Background(), interval+span)
	var all sync.WaitGroup
	for i, s := range senders {
		s.Clock, s.Collector = clock, c
		all.Go(func() {
			time.Sleep(interval*time.Duration(i)/time.Duration(len(senders)) - clock.Now())
			_, _ = s.Run(ctx, Attack{Phase: record.Under, Round: 1, Next: lists, Interval: interval, Workers: workers, Gate: &Gate{}, Forget: true})
		})
	}
	context.AfterFunc(ctx, cancel)
	return &all
}

// inUse is the memory in use, with the goroutines' stacks.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
