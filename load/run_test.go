package load

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/limiter"
	"petconform/spec/verdict"
)

// A recording that is read from its file gives the same results, byte for byte.
func TestJudgedAgainFromItsFile(t *testing.T) {
	var file bytes.Buffer
	for _, deviations := range [][]string{nil, {"plan-one-high"}} {
		file.Reset()
		res, _ := scene{deviations: deviations, change: func(c *Config) { c.Recording = &file }}.play(t)
		rec, err := record.Read(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		again, err := Judge(rec)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(res)
		b, _ := json.Marshal(again)
		if !bytes.Equal(a, b) {
			t.Errorf("%v: judged again, the results differ:\n%s\n%s", deviations, a, b)
		}
		if exchange.NewRedactor(keyOf("Free"), keyOf("other")).Found(file.Bytes()) {
			t.Error("a key stands in what was written")
		}
	}
}

// A run on a conforming target sends at most the requests of its schedule.
func TestThePlanIsKept(t *testing.T) {
	for _, kind := range limiter.Kinds() {
		for _, p := range []spec.Plan{spec.Free, spec.Pro} {
			told, res, rec := announced(t, scene{kind: kind, plans: []spec.Plan{p}})
			if res.Requests > told.Requests || len(res.Created) > told.Creates {
				t.Errorf("%s, %s: %d requests and %d animals; the schedule has %d and %d", kind, p.Name, res.Requests, len(res.Created), told.Requests, told.Creates)
			}
			most := told.Usual * 3 / 2
			if kind == limiter.SlidingCounter { // it counts a burst for two windows
				most = told.Longest
			}
			if took := rec.End.Ended.Sub(rec.Meta.Started); took > most || took < told.Usual*2/3 {
				t.Errorf("%s, %s: the run took %s; the schedule says about %s, and %s at most", kind, p.Name, took, told.Usual, told.Longest)
			}
		}
	}
}

// announced plays a scene and also returns its schedule.
func announced(t *testing.T, s scene) (told Schedule, res *verdict.Results, rec *record.Recording) {
	t.Helper()
	s.change = func(c *Config) {
		var err error
		if told, err = Plan(*c); err != nil {
			t.Fatal(err)
		}
	}
	res, rec = s.play(t)
	return told, res, rec
}

// After Ctrl-C at any time nothing more is sent, the recording is complete so far, and there is no verdict.
func TestStoppedInOrder(t *testing.T) {
	for _, after := range []time.Duration{1, time.Second, 30 * time.Second, 70 * time.Second, 5 * time.Minute} {
		var sent, late atomic.Int64
		var begun time.Time
		var file bytes.Buffer
		s := scene{stop: after, change: func(c *Config) { c.Recording, begun = &file, time.Now() },
			serve: func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				if sent.Add(1); time.Since(begun) > after+50*time.Millisecond {
					late.Add(1)
				}
				next.ServeHTTP(w, r)
			}}
		res, rec := s.play(t)
		if res.Verdict != verdict.NoVerdict || rec.Through() || int(sent.Load()) != res.Requests || late.Load() > 0 {
			t.Errorf("stopped after %s: %s, %d sent, %d recorded, %d after the stop", after, res.Verdict, sent.Load(), res.Requests, late.Load())
		}
		if back, err := record.Read(&file); err != nil || back.End == nil || back.End.Stopped == "" {
			t.Errorf("stopped after %s: want a recording that says so (%v)", after, err)
		}
	}
}

// After Ctrl-C the keys whose turn had not come say that their phases did not run.
func TestStoppedBeforeTheLastKeyBegan(t *testing.T) {
	s := manyKeys(20, nil)
	s.stop = time.Second
	res, rec := s.play(t)
	for lane := range rec.Lanes {
		if !slices.ContainsFunc(rec.Notes, func(n record.Note) bool { return n.Lane == lane }) {
			t.Errorf("nothing says that the phases of key %d did not run", lane)
		}
	}
	if !strings.Contains(res.Reasons.String(), "did not run: the run was aborted") {
		t.Errorf("no reason says that phases did not run: %q", res.Reasons)
	}
}

// A clock that jumps causes no finding. What it affected is inconclusive.
func TestAClockThatJumpsFailsNothing(t *testing.T) {
	begun := time.Now()
	s := scene{deviations: []string{"plan-one-low"}, serve: func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(jumping{w, time.Since(begun).Round(30 * time.Second)}, r) // it jumps every half minute
	}, change: func(*Config) { begun = time.Now() }}
	if res, _ := s.play(t); res.Verdict != verdict.NoVerdict || len(res.Warnings) == 0 {
		t.Errorf("want no verdict and a warning; got %s: %q", res.Verdict, failures(res))
	}
}

// jumping is a service whose clock is ahead.
type jumping struct {
	http.ResponseWriter
	by time.Duration
}

func (w jumping) WriteHeader(status int) {
	reset, _ := strconv.ParseInt(w.Header().Get(spec.HeaderReset), 10, 64)
	w.Header().Set(spec.HeaderReset, strconv.FormatInt(reset+int64(w.by/time.Second), 10))
	w.Header().Set("Date", time.Now().Add(w.by).UTC().Format(http.TimeFormat))
	w.ResponseWriter.WriteHeader(status)
}

func manyKeys(n int, change func(*Config)) scene {
	key := func(i int) exchange.Secret { return keyOf(fmt.Sprintf("free-%d", i)) }
	return scene{
		plans: []spec.Plan{},
		refer: func(rc *reference.Config) {
			for i := range n {
				rc.Keys = append(rc.Keys, reference.Key{Name: fmt.Sprint(i), Secret: key(i), Plan: spec.Free})
			}
		},
		change: func(c *Config) {
			c.OtherKey, c.ReadOnly = exchange.Secret{}, true
			for i := range n {
				c.Plans = append(c.Plans, PlanKey{Plan: spec.Free, Key: key(i), Label: fmt.Sprintf("Free, line %d", i+1)})
			}
			if change != nil {
				change(c)
			}
		},
	}
}

// Four shards, merged, have the verdict and the number of requests of one process.
func TestShardsMergeToTheSameVerdict(t *testing.T) {
	one, _ := manyKeys(12, nil).play(t)
	var parts []*record.Recording
	for i := range 4 {
		_, rec := manyKeys(12, func(c *Config) { c.Shard, c.Shards = i, 4 }).play(t)
		parts = append(parts, rec)
	}
	all, err := record.Merge(parts...)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := Judge(all)
	if err != nil {
		t.Fatal(err)
	}
	if one.Verdict != verdict.Conforms || merged.Verdict != one.Verdict || merged.Requests != one.Requests {
		t.Errorf("one process: %s with %d requests; four: %s with %d (%q)", one.Verdict, one.Requests, merged.Verdict, merged.Requests, merged.Reasons)
	}
	for i, c := range one.Checks {
		if m := merged.Checks[i]; m.ID != c.ID || m.Verdict != c.Verdict || m.Of != c.Of || m.Held != c.Held {
			t.Errorf("%s: %s, %d of %d in one process, and %s, %d of %d in four", c.ID, c.Verdict, c.Held, c.Of, m.Verdict, m.Held, m.Of)
		}
	}
	if !reflect.DeepEqual(one.Observations, merged.Observations) {
		t.Logf("observations differ:\n%v\n%v", one.Observations, merged.Observations)
	}
}

// TestUnlimitedPlans: where limits are not expected, a plan that has none breaks nothing, whether Remaining counts or stays at
// Limit (Limits, 5). The deviation plan-not-enforced shows that it deviates if they are expected.
func TestUnlimitedPlans(t *testing.T) {
	for name, refer := range map[string]func(*reference.Config){
		"counts":         func(rc *reference.Config) { rc.Keys[2].Plan = spec.Plan{Name: "Free", PerMinute: 1e9, PerDay: 1e12} },
		"stays at Limit": func(rc *reference.Config) { rc.Freedoms = append(rc.Freedoms, "limits-apply-elsewhere") },
	} {
		res, _ := scene{refer: refer, change: func(c *Config) { c.LimitsNotExpected = true }}.play(t)
		if !strings.Contains(strings.Join(res.Warnings, "\n"), "--limits-not-expected") {
			t.Errorf("%s: the report does not say that limits were not expected: %q", name, res.Warnings)
		}
		ids := []spec.ID{"RATE-6", "RATE-7", "RATE-11", "RATE-13", "RATE-14"}
		if name == "stays at Limit" {
			ids = append(ids, "RATE-15")
		}
		for _, id := range ids {
			if slices.Contains(failures(res), id) {
				t.Errorf("%s: limits are not expected here, and %s was failed", name, id)
			}
		}
	}
}

// TestWrongConfigurationsAreRefused checks that a configuration that can't run is refused before anything is sent, and no error names a
// key.
func TestWrongConfigurationsAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"Enterprise, no figures": {func(c *Config) { c.Plans[0].Plan = spec.Enterprise }, "at least 10 (--per-minute)"},
		"no key":                 {func(c *Config) { c.Plans[0].Key = exchange.Secret{} }, "no key for Free"},
		"a shard without a key":  {func(c *Config) { c.Shard, c.Shards = 1, 2 }, "shard 1 of 2 has no key"},
		"a shard with a ban": {func(c *Config) {
			c.Shards, c.ProvokeBan, c.BanKey = 2, true, PlanKey{Plan: spec.Free, Key: keyOf("ban")}
		}, "run it without --shard"},
		"two plans on a key":      {func(c *Config) { c.Plans = append(c.Plans, PlanKey{Plan: spec.Pro, Key: c.Plans[0].Key}) }, "have the same key"},
		"the other key the same":  {func(c *Config) { c.OtherKey = c.Plans[0].Key }, "have the same key"},
		"a key with a line break": {func(c *Config) { c.Plans[0].Key = exchange.NewSecret("a\nb") }, ""},
		"no such phase":           {func(c *Config) { c.Phases = []record.Phase{"fil"} }, `there is no phase "fil"`},
		"day without day":         {func(c *Config) { c.Phases = []record.Phase{record.Day} }, "it needs --day"},
		"day too short":           {func(c *Config) { c.Day = 10 * time.Minute }, "the target's day of 10m0s is too short for all phases"},
		"quick and phase":         {func(c *Config) { c.Quick, c.Phases = true, []record.Phase{record.Fill} }, "--quick selects the phases"},
	} {
		if _, err := Plan(scene{change: c.change}.config(t)); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "pet-key") {
			t.Errorf("%s: want an error with %q and without the key; got %v", name, c.want, err)
		}
	}
	// A phase that runs within another selects that one too.
	s, err := Plan(scene{change: func(c *Config) { c.Phases = []record.Phase{record.Recover} }}.config(t))
	if err != nil || len(s.Parts[0].Parts) != 3 {
		t.Errorf("want read, fill and recover: %+v (%v)", s.Parts, err)
	}
}
