package record

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"petconform/spec/exchange"
)

// Merge merges recordings of one target: all shards of a run, or complete runs of different keys. It returns an error
// if they have different settings, if two have a key in common, or if a shard is missing. The names of the runs may
// differ, since each process chooses its own.
func Merge(parts ...*Recording) (*Recording, error) {
	if len(parts) == 0 {
		return nil, errors.New("merge: no recording; give at least one")
	}
	if len(parts) == 1 && parts[0].Settings.Shards <= 1 {
		return parts[0], nil
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b *Recording) int { return a.Settings.Shard - b.Settings.Shard })
	if err := mergeable(parts); err != nil {
		return nil, fmt.Errorf("merge: %w", err)
	}
	all := &Recording{Meta: parts[0].Meta, Settings: parts[0].Settings, End: &exchange.End{}}
	all.Settings.Shard, all.Settings.Shards = 0, 0
	if others := len(parts) - 1; others > 0 {
		all.Meta.Run = fmt.Sprintf("%s+%d", all.Meta.Run, others)
	}
	for _, p := range parts {
		if p.Meta.Started.Before(all.Meta.Started) {
			all.Meta.Started = p.Meta.Started
		}
	}
	for _, p := range parts {
		all.join(p, p.Meta.Started.Sub(all.Meta.Started))
	}
	return all, nil
}

// mergeable returns an error if the parts have different settings, if a shard of the run is missing, or if two have a
// key in common, since each would have spent allowance that the other does not know of.
func mergeable(parts []*Recording) error {
	first, keys := parts[0], map[string]bool{}
	shards := first.Settings.Shards
	if shards > 1 && len(parts) != shards {
		return fmt.Errorf("the run has %d shards, and %d recordings are given; give the recordings of all shards",
			shards, len(parts))
	}
	for i, p := range parts {
		settings := p.Settings
		settings.Shard = first.Settings.Shard
		switch {
		case tested(p.Meta) != tested(first.Meta) || !reflect.DeepEqual(settings, first.Settings):
			return fmt.Errorf("the runs %s and %s have different targets, builds or settings (minute, day, phases, number of shards); "+
				"report them separately", first.Meta.Run, p.Meta.Run)
		case shards > 1 && p.Settings.Shard != i:
			return fmt.Errorf("shard %d of %d is missing; shard %d of %d is given in its place",
				i, shards, p.Settings.Shard, shards)
		}
		for _, l := range p.Lanes {
			if keys[l.Label] {
				return fmt.Errorf("the key %q is in two runs; the shards of one run share no key", l.Label)
			}
			keys[l.Label] = true
		}
	}
	return nil
}

// tested returns what of a run's Meta says which service it tested.
func tested(m exchange.Meta) [4]string {
	return [4]string{m.Target, m.Build, m.Environment, fmt.Sprint(m.Reference)}
}

// join appends p, which started later by later, with its numbers moved behind those of r.
func (r *Recording) join(p *Recording, later time.Duration) {
	lanes, records := len(r.Lanes), len(r.Records)
	r.Lanes = append(r.Lanes, p.Lanes...)
	for _, x := range p.Records {
		x.N, x.Lane = x.N+records, x.Lane+lanes
		x.Sent, x.Planned = x.Sent+later, x.Planned+later
		r.Records = append(r.Records, x)
	}
	for _, n := range p.Notes {
		n.Lane += lanes
		r.Notes = append(r.Notes, n)
	}
	r.Meta.Way = r.Meta.Way.With(p.Meta.Way)
	r.Torn = r.Torn || p.Torn
	if r.End == nil || p.End == nil {
		r.End = nil
		return
	}
	if p.End.Ended.After(r.End.Ended) {
		r.End.Ended = p.End.Ended
	}
	r.End.Stopped = cmp.Or(r.End.Stopped, p.End.Stopped)
	r.End.Waited += p.End.Waited
}
