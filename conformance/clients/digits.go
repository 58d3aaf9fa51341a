package clients

import (
	"math"
	"net/http"
	"strconv"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
)

// counted is how far from an id a client may count to another one.
const counted = 16

// sentBack finds a getPet of an id that the client changed by a conversion to float64 or int32. A client may request any
// id, so it must be one that no animal has. A client that has sent back one that a conversion would change may ask for
// those beside it on purpose. A response is parsed here and not kept: the animals of a flood of listings would take ten
// times the recording.
func sentBack(h *history.History) (w rules.Whole) {
	shown := map[int64]bool{}
	changed := map[float64]int64{} // the id that a conversion makes another number, by that number
	exact := false                 // a client sent back an id that a float64 cannot hold
	for _, x := range h.All {
		x = history.ReadExchange(x.Exchange)
		if sent, err := strconv.ParseInt(x.PetID(), 10, 64); x.Operation == spec.GetPet && err == nil { // else CLIENT-12
			was, may := changed[float64(sent)]
			beside := uint64(max(sent, was)-min(sent, was)) <= counted
			missing := x.Status() == http.StatusNotFound || x.Status() == http.StatusBadRequest
			switch {
			case shown[sent] && differs(sent, float64(sent)):
				w.Of++
				exact = true
			case may && missing && !shown[sent] && !byHand(sent) && !(exact && beside):
				w.Of++
				w.Breaks(x, "CLIENT-13", "an id, which the client was given and sent back", strconv.FormatInt(was, 10), x.PetID())
			}
		}
		for _, p := range x.Shown() {
			n, err := strconv.ParseInt(p.ID, 10, 64)
			if err != nil {
				continue
			}
			shown[n] = true
			for _, as := range []float64{float64(n), float64(int32(n))} {
				if differs(n, as) {
					changed[as] = n
				}
			}
		}
	}
	return w
}

// differs reports whether n is another number than what a conversion made of it.
func differs(n int64, as float64) bool { return as >= math.MaxInt64 || int64(as) != n }

// byHand reports whether people choose such numbers, so that a client may send one that no response had.
func byHand(n int64) bool { return -1<<20 < n && n < 1<<20 || n == math.MaxInt64 }
