package judge

import (
	"slices"

	"petconform/load/record"
)

// allSeries is a series. all is InWindow for every request, not only for every Every-th.
type allSeries struct {
	Series
	all []int
}

// series returns the requests of one key as columns.
func (v *view) series(rec *record.Recording) allSeries {
	every := max(1, (len(v.own)+MaxPoints-1)/MaxPoints)
	out := allSeries{Series: Series{Key: v.lane.Label, Every: every}, all: make([]int, len(v.own))}
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
		out.all[i] = within
		if i%every != every-1 && i != len(v.own)-1 {
			continue
		}
		s := &out.Series
		s.N, s.S, s.Status = append(s.N, r.N), append(s.S, round3(r.Sent.Seconds())), append(s.Status, r.Status)
		s.MS, s.LagMS = append(s.MS, round3(ms(r.Done))), append(s.LagMS, round3(ms(r.Lag())))
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
	return out
}
