package judge

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strconv"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/verdict"
)

// wholeDay is a recording of a day of Business: two fills and then a request every 62 ms until the 100,000 of the day are spent, as the
// reference's limiter of a kind answers them, each in 1 to 4 ms.
func wholeDay(kind limiter.Kind) *record.Recording {
	plan := spec.Business
	dice := rand.New(rand.NewPCG(1, 2))
	return tellStory(func(s *story) {
		s.rec.Lanes[0] = record.Lane{Label: plan.Name, Plan: plan.Name, PerMinute: plan.PerMinute, PerDay: plan.PerDay}
		s.rec.Settings.Phases = []record.Phase{record.Headers, record.Fill, record.Recover, record.Day}
		key := limiter.NewAllowance(plan.PerMinute, plan.PerDay, limiter.Options{Kind: kind, Minute: time.Minute, Day: 24 * time.Hour})
		send := func(p record.Phase, round int, role record.Role) bool {
			s.took = time.Millisecond + time.Duration(dice.Int64N(int64(3*time.Millisecond)))
			d := key.Take(begun.Add(s.now + s.took/2))
			s.wait = int((d.RetryAfter + time.Second - 1) / time.Second)
			s.headers = http.Header{"X-Ratelimit-Limit": {fmt.Sprint(d.Limit)}, "X-Ratelimit-Remaining": {fmt.Sprint(d.Remaining)},
				"X-Ratelimit-Reset": {strconv.FormatInt(d.Reset.Unix()+1, 10)}}
			status := http.StatusOK
			if !d.Allowed {
				status = http.StatusTooManyRequests
			}
			s.answer(p, round, role, status)
			return d.Allowed
		}
		for round := 1; round <= 2; round++ {
			for send(record.Fill, round, record.Spend) {
			}
			s.now += time.Duration(s.wait)*time.Second + time.Millisecond
			send(record.Recover, round, record.Probe)
			s.now += 2 * time.Minute
		}
		for send(record.Day, 1, record.Spend) {
			s.now += 62*time.Millisecond - s.took
		}
	})
}

// BenchmarkDayOfBusiness measures the judge's time and memory on 100,000 requests:
//
//	go test ./load/judge -run '^$' -bench DayOfBusiness -benchtime 3x
func BenchmarkDayOfBusiness(b *testing.B) {
	for _, kind := range []limiter.Kind{limiter.FixedClock, limiter.TokenBucket, limiter.SlidingCounter} {
		b.Run(string(kind), func(b *testing.B) {
			rec := wholeDay(kind)
			b.ReportAllocs()
			var most uint64
			for b.Loop() {
				res, err := Results(rec, known)
				if err != nil || res.Verdict == verdict.Deviates {
					b.Fatalf("%v: %q", err, res.Reasons)
				}
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
			b.ReportMetric(float64(len(rec.Records)), "requests")
			b.ReportMetric(float64(most)/1e6, "MB-heap")
		})
	}
}
