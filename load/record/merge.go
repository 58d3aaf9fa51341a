package record

import (
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
	first := parts[0]
	for _, check := range []func([]*Recording) error{sameSettings, everyShard, keysApart} {
		if err := check(parts); err != nil {
			return nil, fmt.Errorf("merge: %w", err)
		}
	}
	all := &Recording{Meta: first.Meta, Settings: first.Settings, End: &exchange.End{}}
	all.Settings.Shard, all.Settings.Shards = 0, 0
	if others := len(parts) - 1; others > 0 {
		all.Meta.Run = fmt.Sprintf("%s+%d", first.Meta.Run, others)
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

func sameSettings(parts []*Recording) error {
	first := parts[0]
	plain := func(p *Recording) Settings {
		s := p.Settings
		s.Shard = 0
		return s
	}
	for _, p := range parts {
		switch {
		case p.Meta.Target != first.Meta.Target:
			return fmt.Errorf("run %s has the target %s, and run %s %s; one report is about one target", p.Meta.Run, p.Meta.Target, first.Meta.Run, first.Meta.Target)
		case !reflect.DeepEqual(plain(p), plain(first)):
			return fmt.Errorf("run %s has other settings (minute, day, phases, number of shards) than run %s; report them separately", p.Meta.Run, first.Meta.Run)
		}
	}
	return nil
}

// everyShard checks that each shard of the run is given once, if the run has shards.
func everyShard(parts []*Recording) error {
	want := parts[0].Settings.Shards
	if want <= 1 {
		return nil
	}
	if len(parts) != want {
		return fmt.Errorf("the run has %d shards, and %d recordings are given; give the recordings of all shards", want, len(parts))
	}
	for i, p := range parts {
		if p.Settings.Shard != i {
			return fmt.Errorf("shard %d of %d is missing; shard %d of %d is given in its place", i, want, p.Settings.Shard, p.Settings.Shards)
		}
	}
	return nil
}

// keysApart checks that no key is in two recordings, since each would have spent allowance that the other does not know
// of.
func keysApart(parts []*Recording) error {
	seen := map[string]string{}
	for _, p := range parts {
		for _, l := range p.Lanes {
			if other, ok := seen[l.Label]; ok {
				return fmt.Errorf("the key %q is in run %s and in run %s; the shards of one run share no key", l.Label, other, p.Meta.Run)
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
		if x.Repeats > 0 {
			x.Repeats += records
		}
		x.Sent, x.Planned = x.Sent+later, x.Planned+later
		r.Records = append(r.Records, x)
	}
	for _, n := range p.Notes {
		n.Lane, n.At = n.Lane+lanes, n.At+later
		r.Notes = append(r.Notes, n)
	}
	r.Torn = r.Torn || p.Torn
	if p.End == nil {
		r.End = nil
	}
	if r.End == nil {
		return
	}
	if p.End.Ended.After(r.End.Ended) {
		r.End.Ended = p.End.Ended
	}
	if r.End.Stopped == "" {
		r.End.Stopped = p.End.Stopped
	}
	r.End.Waited += p.End.Waited
}
