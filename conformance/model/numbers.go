package model

import (
	"slices"
	"strconv"
)

// Ids that a refused request may have left are looked for one by one.
const (
	// mostBetween is the largest number of ids that are looked for: about a fifth of a full run.
	mostBetween = 240
	// widestGap is the largest difference of two neighbouring ids of the run between which all are looked for. Beyond it,
	// ids are random, or other clients create too much.
	widestGap = 48
	// beyondLast is how many ids beyond the last one are looked at.
	beyondLast = 2
)

// numbers are the ids of the run's animals that are numbers, in order.
type numbers struct {
	ids []int64
	// all says that the id of every animal of the run is a number. up and down say whether ids grow or fall with time. Of two creations
	// that overlap, either may get the smaller id.
	all, up, down bool
}

func (s *Store) numbers() numbers {
	n := numbers{all: true, up: true, down: true}
	created := s.history.Created()
	for i, c := range created {
		id, err := strconv.ParseInt(c.Answered.ID, 10, 64)
		if err != nil {
			n.all = false
			continue
		}
		n.ids = append(n.ids, id)
		for _, d := range created[:i] {
			if before, err := strconv.ParseInt(d.Answered.ID, 10, 64); err == nil && d.Exchange.Ended().Before(c.Exchange.Sent) {
				n.up, n.down = n.up && before <= id, n.down && before >= id
			}
		}
	}
	slices.Sort(n.ids)
	n.ids = slices.Compact(n.ids)
	return n
}

// between returns the ids between those of the run, except between two that are further apart than widestGap. It returns
// none if there are more than most. all says that no id between the smallest and the largest is left out.
func (n numbers) between(most int) (out []string, all bool) {
	all = true
	for i := 1; i < len(n.ids); i++ {
		gap := n.ids[i] - n.ids[i-1]
		if gap < 0 || gap > widestGap {
			all = false
			continue
		}
		for id := n.ids[i-1] + 1; id < n.ids[i]; id++ {
			out = append(out, strconv.FormatInt(id, 10))
		}
	}
	if len(out) > most {
		return nil, false
	}
	return out, all
}
