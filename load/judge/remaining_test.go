package judge

import (
	"net/http"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec/verdict"
)

// TestWhatIsLeft checks the verdicts on Remaining by the number of requests accepted after it, while no other was in flight.
func TestWhatIsLeft(t *testing.T) {
	for _, c := range []struct {
		name    string
		abreast int
		says    func(left int) int
		want    verdict.Verdict
	}{
		{"the truth", 1, func(left int) int { return left }, verdict.Passed},
		{"one less", 1, func(left int) int { return max(0, left-1) }, verdict.Passed}, // as of a bucket, which may round down
		{"one more", 1, func(left int) int { return left + 1 }, verdict.Passed},       // as of a bucket that rounds up; its 429 says 0
		{"the truth, four at a time", 4, func(left int) int { return left }, verdict.Inconclusive},
		{"one less, four at a time", 4, func(left int) int { return max(0, left-1) }, verdict.Inconclusive},
		{"nothing from the middle on, four at a time", 4, func(left int) int { return max(0, 2*left-60) }, verdict.Inconclusive},
		{"twice as much, four at a time", 4, func(left int) int { return 30 + left/2 }, verdict.Inconclusive},
	} {
		rec := tellStory(func(s *story) {
			s.rec.Settings.Phases = append(s.rec.Settings.Phases, record.Headers)
			for i := range 2 {
				s.at(time.Duration(i) * 10 * time.Minute)
				for k := range 61 {
					left, status := c.says(59-k), http.StatusOK
					if k == 60 {
						left, status = 0, http.StatusTooManyRequests
					}
					s.say(says{60, left, 60})
					s.took = time.Duration(c.abreast) * time.Millisecond
					s.answer(record.Fill, i+1, record.Spend, status)
					s.now -= time.Duration(c.abreast-1) * time.Millisecond
				}
			}
		})
		if got := verdictOf(t, rec, "RATE-15"); got != c.want {
			t.Errorf("%s: want %s; got %s", c.name, c.want, got)
		}
	}
}

// TestABucketsMillisecond lets a bucket gain what its clock's resolution of 1 ms allows, and no more.
func TestABucketsMillisecond(t *testing.T) {
	for extra, want := range map[int]verdict.Verdict{20: verdict.Passed, 21: verdict.Failed} { // 1200 a second: 20 in 16 ms
		rec := tellStory(func(s *story) {
			s.rec.Settings.Minute, s.rec.Lanes[0].PerMinute, s.wait = time.Second, 1200, 3
			for i := range 2 {
				s.at(time.Duration(i) * 10370 * time.Millisecond)
				s.fill(i+1, 1200+extra, 15800*time.Microsecond)
			}
		})
		if got := verdictOf(t, rec, "RATE-6"); got != want {
			t.Errorf("%d more than the plan: want %s; got %s", extra, want, got)
		}
	}
}
