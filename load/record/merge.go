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
// differ, since each process chooses its own. No other recordings are merged: one process sends all checks, and one has
// all clients.
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
	first := parts[0]
	all := &Recording{Meta: first.Meta, Settings: first.Settings, End: &exchange.End{}}
	all.Settings.Shard, all.Settings.Shards = 0, 0
	if others := len(parts) - 1; others > 0 {
		all.Meta.Run = fmt.Sprintf("%s+%d", first.Meta.Run, others)
	}
	earliest := slices.MinFunc(parts, func(a, b *Recording) int { return a.Meta.Started.Compare(b.Meta.Started) })
	all.Meta.Started = earliest.Meta.Started
	for _, p := range parts {
		all.join(p, p.Meta.Started.Sub(all.Meta.Started))
	}
	return all, nil
}

// mergeable returns an error if the parts have different settings, if a shard of the run is missing, or if two have a
// key in common, since each would have spent allowance that the other does not know of.
func mergeable(parts []*Recording) error {
	first := parts[0]
	shards := first.Settings.Shards
	if shards > 1 && len(parts) != shards {
		return fmt.Errorf("the run has %d shards, and %d recordings are given; give the recordings of all shards",
			shards, len(parts))
	}
	seen := map[string]string{}
	for i, p := range parts {
		settings := p.Settings
		settings.Shard = first.Settings.Shard
		switch {
		case p.Meta.Target != first.Meta.Target:
			return fmt.Errorf("run %s has the target %s, and run %s %s; one report is about one target",
				p.Meta.Run, p.Meta.Target, first.Meta.Run, first.Meta.Target)
		case !reflect.DeepEqual(settings, first.Settings):
			return fmt.Errorf("run %s has other settings (minute, day, phases, number of shards) than run %s; "+
				"report them separately",
				p.Meta.Run, first.Meta.Run)
		case shards > 1 && p.Settings.Shard != i:
			return fmt.Errorf("shard %d of %d is missing; shard %d of %d is given in its place",
				i, shards, p.Settings.Shard, shards)
		}
		for _, l := range p.Lanes {
			if other, ok := seen[l.Label]; ok {
				return fmt.Errorf("the key %q is in run %s and in run %s; the shards of one run share no key",
					l.Label, other, p.Meta.Run)
			}
			seen[l.Label] = p.Meta.Run
		}
	}
	return nil
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
		n.Lane, n.At = n.Lane+lanes, n.At+later
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
