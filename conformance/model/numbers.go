package model

import (
	"slices"
	"strconv"

	"petconform/spec/history"
)

const (
	// widestGap is the largest difference of two neighbouring ids of the run between which all are looked for. Beyond it,
	// ids are random, or other clients create too much.
	widestGap = 48
	// beyondLast is how many ids beyond the last one are looked at.
	beyondLast = 2
)

// numbers are the ids beside those of the run's animals, where these are numbers.
type numbers struct {
	// between are the ids between two of the run that are no further apart than widestGap, and beyond the next ones.
	between, beyond []string
	// count says that ids grow or fall with time. Of two creations that overlap, either may get the smaller id.
	count bool
	// all says that ids grow, and that none between the smallest and the largest is left out.
	all bool
}

// numbers are those of the animals that were created before the request with a number.
func (s *Store) numbers(before int) (n numbers) {
	ids, of, up, down, all := []int64{}, []history.Exchange{}, true, true, true
	for _, c := range s.history.Created() {
		id, err := strconv.ParseInt(c.Answered.ID, 10, 64)
		if c.Exchange.N >= before {
			break
		} else if err != nil {
			all = false
			continue
		}
		for i, earlier := range ids {
			if of[i].Ended().Before(c.Exchange.Sent) {
				up, down = up && earlier <= id, down && earlier >= id
			}
		}
		ids, of = append(ids, id), append(of, c.Exchange)
	}
	if len(ids) == 0 {
		return n
	}
	slices.Sort(ids)
	n.count, n.all = up || down, up && all && ids[0] > 0
	for i, id := range ids[1:] {
		if gap := id - ids[i]; gap < 0 || gap > widestGap {
			n.all = false
			continue
		}
		for id := ids[i] + 1; id < ids[i+1]; id++ {
			n.between = append(n.between, strconv.FormatInt(id, 10))
		}
	}
	for i := range int64(beyondLast) {
		n.beyond = append(n.beyond, strconv.FormatInt(ids[len(ids)-1]+1+i, 10))
	}
	return n
}
