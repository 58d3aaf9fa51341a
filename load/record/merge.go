package record

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"petconform/spec/exchange"
)

// Merge puts recordings of one target together, as if one process had sent them all: the shards of a run, each once and
// none missing, or whole runs of several keys. They must have the same settings, and no key in common. Each process
// names its run by itself, so that shards need agree on nothing but the file of keys.
func Merge(parts ...*Recording) (*Recording, error) {
	if len(parts) == 0 {
		return nil, errors.New("merge: at least one recording is wanted")
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
	all := &Recording{Meta: first.Meta, Settings: first.Settings, End: &exchange.End{Skipped: map[string]string{}}}
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
			return fmt.Errorf("run %s was told other settings (minute, day, phases, number of shards) than run %s; report them apart", p.Meta.Run, first.Meta.Run)
		}
	}
	return nil
}

// everyShard wants each shard once where there are any.
func everyShard(parts []*Recording) error {
	want := parts[0].Settings.Shards
	if want <= 1 {
		return nil
	}
	if len(parts) != want {
		return fmt.Errorf("%d shards are wanted, and %d recordings were given", want, len(parts))
	}
	for i, p := range parts {
		if p.Settings.Shard != i {
			return fmt.Errorf("shard %d of %d is wanted, and shard %d of %d was given", i, want, p.Settings.Shard, p.Settings.Shards)
		}
	}
	return nil
}

// keysApart: a key in two recordings would have had its allowance spent by both.
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

func (r *Recording) join(p *Recording, later time.Duration) {
	lanes, shapes, records := len(r.Lanes), len(r.Shapes), r.Records.Len()
	for _, l := range p.Lanes {
		l.ID += lanes
		r.Lanes = append(r.Lanes, l)
	}
	for _, s := range p.Shapes {
		s.ID += shapes
		r.Shapes = append(r.Shapes, s)
	}
	for x := range p.Records.All() {
		x.N, x.Lane, x.Shape = x.N+records, x.Lane+lanes, x.Shape+shapes
		if x.Repeats > 0 {
			x.Repeats += records
		}
		x.Sent, x.Planned = x.Sent+later, x.Planned+later
		r.Records.add(&x)
	}
	for _, n := range p.Notes {
		n.Lane, n.At = n.Lane+lanes, n.At+later
		r.Notes = append(r.Notes, n)
	}
	r.Torn = r.Torn || p.Torn
	if p.End != nil && r.End != nil {
		maps.Copy(r.End.Skipped, p.End.Skipped)
	}
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
