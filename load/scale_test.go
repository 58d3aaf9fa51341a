package load

import (
	"runtime"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec/long"
)

// TestAThousandKeys loads a thousand keys in one process. Each has its own attack over the shared transport.
func TestAThousandKeys(t *testing.T) {
	long.Only(t, "a thousand keys, which take half a minute")
	before := memory()
	begun := time.Now()
	res, rec := manyKeys(1000, func(c *Config) { c.Phases = []record.Phase{record.Fill, record.Recover, record.Backoff} }).play(t)
	if !holds(res) {
		t.Errorf("a thousand lawful keys, and the verdict was %s: %q", res.Verdict, res.Reasons)
	}
	if c := res.Checks[1]; c.Of != 1000 || c.Held != 1000 {
		t.Errorf("%s: held on %d of %d keys", c.ID, c.Held, c.Of)
	}
	kept := memory() - before
	t.Logf("%d requests in %s of real time; %d bytes kept for each key, %d for each request", res.Requests, time.Since(begun).Round(time.Millisecond),
		kept/1000, kept/int64(res.Requests))
	runtime.KeepAlive(rec)
}

func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
