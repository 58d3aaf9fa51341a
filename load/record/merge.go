package record

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"petconform/spec/exchange"
)

// Merge joins the recordings of all shards of a run, one behind the other. It returns an error if one is missing, or if
// they are not of one run. The names of the shards differ, since each process chooses its own.
func Merge(shards ...*Recording) (*Recording, error) {
	if len(shards) == 0 {
		return nil, errors.New("merge: no recording; give at least one")
	}
	shards = slices.SortedStableFunc(slices.Values(shards), func(a, b *Recording) int { return a.Settings.Shard - b.Settings.Shard })
	first := shards[0]
	all := &Recording{Meta: first.Meta, Settings: first.Settings, End: &exchange.End{}}
	for i, s := range shards {
		switch wanted := max(1, s.Settings.Shards); {
		case wanted != len(shards):
			return nil, fmt.Errorf("merge: the run has %d shards, and %d recordings are given; give the recordings of all shards",
				wanted, len(shards))
		case s.Settings.Shard != i:
			return nil, fmt.Errorf("merge: shard %d of %d is missing; shard %d of %d is given in its place",
				i, wanted, s.Settings.Shard, wanted)
		}
		if all.Settings.Shard = i; run(s.Meta) != run(first.Meta) || !reflect.DeepEqual(s.Settings, all.Settings) {
			return nil, fmt.Errorf("merge: the shards %s and %s have different targets, builds or settings (minute, day, phases); "+
				"they are not of one run", first.Meta.Run, s.Meta.Run)
		}
		if s.Meta.Started.Before(all.Meta.Started) {
			all.Meta.Started = s.Meta.Started
		}
	}
	for _, s := range shards {
		all.join(s)
	}
	all.Settings.Shard, all.Settings.Shards = 0, 0
	return all, nil
}

// run returns what the shards of a run have in common.
func run(m exchange.Meta) [5]string {
	return [5]string{m.Target, m.Build, m.Environment, fmt.Sprint(m.Reference), fmt.Sprint(m.ReadOnly)}
}

// join appends a shard, with its numbers moved behind those of r, and its times to the start of r.
func (r *Recording) join(s *Recording) {
	lanes, records, later := len(r.Lanes), len(r.Records), s.Meta.Started.Sub(r.Meta.Started)
	r.Lanes = append(r.Lanes, s.Lanes...)
	for _, x := range s.Records {
		x.N, x.Lane, x.Sent, x.Planned = x.N+records, x.Lane+lanes, x.Sent+later, x.Planned+later
		r.Records = append(r.Records, x)
	}
	for _, n := range s.Notes {
		n.Lane += lanes
		r.Notes = append(r.Notes, n)
	}
	r.Meta.Way, r.Torn = r.Meta.Way.With(s.Meta.Way), r.Torn || s.Torn
	if r.End == nil || s.End == nil {
		r.End = nil
		return
	}
	if s.End.Ended.After(r.End.Ended) {
		r.End.Ended = s.End.Ended
	}
	r.End.Stopped, r.End.Waited = cmp.Or(r.End.Stopped, s.End.Stopped), r.End.Waited+s.End.Waited
}
