package judge

import (
	"slices"
	"time"

	"petconform/load/record"
)

// series returns the requests of one key as columns, and the most that were accepted within a window, which ended at
// at.
func (v *view) series(rec *record.Recording) (s Series, most int, at time.Duration) {
	every := max(1, (len(v.own)+MaxPoints-1)/MaxPoints)
	s = Series{Key: v.lane.Label, Every: every}
	cumulative, oldest := 0, 0
	within := 0
	for i, r := range v.own {
		if r.Accepted() {
			cumulative++
			within++
		}
		for oldest < i && r.Received()-v.own[oldest].Received() >= v.window {
			if v.own[oldest].Accepted() {
				within--
			}
			oldest++
		}
		if within > most {
			most, at = within, r.Received()
		}
		if i%every != every-1 && i != len(v.own)-1 {
			continue
		}
		s.N, s.S, s.Status = append(s.N, r.N), append(s.S, round3(r.Sent.Seconds())), append(s.Status, r.Status)
		remaining, resetIn := int64(-1), -1.0
		if r.Remaining.Known() {
			remaining = int64(r.Remaining)
		}
		if r.Reset.Known() && r.Date.Known() {
			resetIn = r.ResetIn().Seconds()
		}
		s.Remaining, s.ResetInS = append(s.Remaining, remaining), append(s.ResetInS, resetIn)
		s.Cumulative, s.InWindow = append(s.Cumulative, cumulative), append(s.InWindow, within)
		s.Phase = append(s.Phase, slices.Index(rec.Settings.Phases, r.Phase))
	}
	return s, most, at
}
