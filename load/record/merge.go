package record

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"petconform/spec/exchange"
)

// Merge joins recordings of one target, one behind the other: all shards of a run, or runs with other keys. It returns an
// error if a shard is missing, if they differ in settings, or if two have a key in common: each would have spent allowance
// that the other does not know of. Their names differ, since each process chooses its own.
func Merge(parts ...*Recording) (*Recording, error) {
	if len(parts) == 0 {
		return nil, errors.New("merge: no recording; give at least one")
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b *Recording) int { return a.Settings.Shard - b.Settings.Shard })
	first, keys := parts[0], map[string]bool{}
	all := &Recording{Meta: first.Meta, Settings: first.Settings, End: &exchange.End{}}
	for i, p := range parts {
		switch shard, of := p.Settings.Shard, p.Settings.Shards; {
		case of > 1 && of != len(parts):
			return nil, fmt.Errorf("merge: the run has %d shards, and %d recordings are given; give the recordings of all shards",
				of, len(parts))
		case of > 1 && shard != i:
			return nil, fmt.Errorf("merge: shard %d of %d is missing; shard %d of %d is given in its place", i, of, shard, of)
		}
		if all.Settings.Shard = p.Settings.Shard; tested(p.Meta) != tested(first.Meta) || !reflect.DeepEqual(p.Settings, all.Settings) {
			return nil, fmt.Errorf("merge: the runs %s and %s have different targets, builds or settings (minute, day, phases, "+
				"number of shards); report them separately", first.Meta.Run, p.Meta.Run)
		}
		for _, l := range p.Lanes {
			if keys[l.Label] {
				return nil, fmt.Errorf("merge: the key %q is in two runs", l.Label)
			}
			keys[l.Label] = true
		}
		if p.Meta.Started.Before(all.Meta.Started) {
			all.Meta.Started = p.Meta.Started
		}
	}
	for _, p := range parts {
		all.join(p)
	}
	all.Settings.Shard, all.Settings.Shards = 0, 0
	return all, nil
}

// tested returns what of a run's Meta says which service it tested.
func tested(m exchange.Meta) [4]string {
	return [4]string{m.Target, m.Build, m.Environment, fmt.Sprint(m.Reference)}
}

// join appends a part, with its numbers moved behind those of r, and its times to the start of r.
func (r *Recording) join(p *Recording) {
	lanes, records, later := len(r.Lanes), len(r.Records), p.Meta.Started.Sub(r.Meta.Started)
	r.Lanes = append(r.Lanes, p.Lanes...)
	for _, record := range p.Records {
		x := *record
		x.N, x.Lane, x.Sent, x.Planned = x.N+records, x.Lane+lanes, x.Sent+later, x.Planned+later
		r.Records = append(r.Records, &x)
	}
	for _, n := range p.Notes {
		n.Lane += lanes
		r.Notes = append(r.Notes, n)
	}
	r.Meta.Way, r.Torn = r.Meta.Way.With(p.Meta.Way), r.Torn || p.Torn
	if r.End == nil || p.End == nil {
		r.End = nil
		return
	}
	if p.End.Ended.After(r.End.Ended) {
		r.End.Ended = p.End.Ended
	}
	r.End.Stopped, r.End.Waited = cmp.Or(r.End.Stopped, p.End.Stopped), r.End.Waited+p.End.Waited
}
