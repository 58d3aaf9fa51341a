package record

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"petconform/spec/exchange"
)

// Merge puts the recordings of a run's shards together, as if one process had sent them all. They must be of the same
// run, with the same settings, and no shard may stand twice or be missing.
func Merge(parts ...*Recording) (*Recording, error) {
	if len(parts) == 0 {
		return nil, errors.New("merge: at least one recording is wanted")
	}
	parts = slices.Clone(parts)
	slices.SortFunc(parts, func(a, b *Recording) int { return a.Settings.Shard - b.Settings.Shard })
	first := parts[0]
	if err := sameRun(parts); err != nil {
		return nil, err
	}
	all := &Recording{Meta: first.Meta, Settings: first.Settings, End: &exchange.End{}}
	all.Settings.Shard, all.Settings.Shards = 0, 0
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

func sameRun(parts []*Recording) error {
	first := parts[0]
	want := max(1, first.Settings.Shards)
	if len(parts) != want {
		return fmt.Errorf("merge: %d shards are wanted, and %d recordings were given", want, len(parts))
	}
	for i, p := range parts {
		switch {
		case p.Meta.Run != first.Meta.Run:
			return fmt.Errorf("merge: shard %d is of run %q, and shard %d of run %q", i, p.Meta.Run, first.Settings.Shard, first.Meta.Run)
		case p.Meta.Target != first.Meta.Target:
			return fmt.Errorf("merge: shard %d has the target %s, and shard %d %s", i, p.Meta.Target, first.Settings.Shard, first.Meta.Target)
		case p.Settings.Shard != i || max(1, p.Settings.Shards) != want:
			return fmt.Errorf("merge: shard %d of %d is wanted, and shard %d of %d was given", i, want, p.Settings.Shard, p.Settings.Shards)
		}
	}
	return nil
}

func (r *Recording) join(p *Recording, later time.Duration) {
	lanes, shapes, records := len(r.Lanes), len(r.Shapes), len(r.Records)
	for _, l := range p.Lanes {
		l.ID += lanes
		r.Lanes = append(r.Lanes, l)
	}
	for _, s := range p.Shapes {
		s.ID += shapes
		r.Shapes = append(r.Shapes, s)
	}
	for _, x := range p.Records {
		x.N, x.Lane, x.Shape = x.N+records, x.Lane+lanes, x.Shape+shapes
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
