package clients

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
)

// counted is how far from an id a client may count to another one.
const counted = 16

// digits follows the identifiers of a run. An identifier has its kind before it, id or categoryId.
type digits struct {
	shown map[string]bool
	// changed maps the result of a conversion to float64 or int32 to the identifier, if it is another number.
	changed map[string]int64
	// exact are the keys of clients that sent back an identifier which a float64 cannot hold, and cut says that the
	// recording lacks a part of a response.
	exact map[string]bool
	cut   bool
}

// sentBack judges what each call sends back by what responses showed before. A response is parsed here and not kept:
// the animals of a flood of listings would take ten times the recording.
func sentBack(h *history.History) (w rules.Whole) {
	d := digits{map[string]bool{}, map[string]int64{}, map[string]bool{}, false}
	for _, x := range h.All {
		if x.Named() {
			x = history.ReadExchange(x.Exchange)
			d.judge(x, &w)
			d.add(x)
		}
	}
	return w
}

// add adds what a response shows.
func (d *digits) add(x history.Exchange) {
	d.cut = d.cut || x.Response != nil && x.Response.Truncated
	for _, p := range x.Shown() {
		for kind, text := range map[string]string{"id": p.ID, "categoryId": p.Category()} {
			d.shown[kind+text] = true
			n, err := strconv.ParseInt(text, 10, 64)
			for _, as := range []float64{float64(n), float64(int32(n))} {
				if err == nil && differs(n, as) {
					d.changed[kind+fmt.Sprint(as)] = n
				}
			}
		}
	}
}

// judge finds an identifier that the client changed by a conversion to float64 or int32. A client may request any id,
// so it must be one that no animal has. A client that has sent back one that a conversion would change may ask for
// those beside it on purpose. A petId that is not an int64 is CLIENT-12's.
func (d *digits) judge(x history.Exchange, w *rules.Whole) {
	kind, sent := "id", x.PetID()
	if x.Operation == spec.CreatePet {
		members, _ := x.Posted().Value.(map[string]any)
		category, _ := members["categoryId"].(json.Number)
		kind, sent = "categoryId", category.String()
	} else if x.Operation != spec.GetPet {
		return
	}
	f, _ := strconv.ParseFloat(sent, 64)
	was, changed := d.changed[kind+fmt.Sprint(f)]
	n, err := strconv.ParseInt(sent, 10, 64)
	missing := x.Status() == http.StatusNotFound || x.Status() == http.StatusBadRequest
	switch {
	case err == nil && d.shown[kind+sent]:
		if differs(n, f) {
			w.Of++
			d.exact[x.Caller.Key] = true
		}
	case !changed, d.exact[x.Caller.Key] && uint64(max(n, was)-min(n, was)) <= counted, err == nil && byHand(n):
	case kind == "categoryId" && d.cut, kind == "id" && (err != nil || !missing):
	default:
		w.Of++
		w.Breaks(x, "CLIENT-13", kind+", which the client was given and sent back", strconv.FormatInt(was, 10), sent)
	}
}

// differs reports whether n is another number than what a conversion made of it.
func differs(n int64, as float64) bool { return as >= math.MaxInt64 || int64(as) != n }

// byHand reports whether people choose such numbers, so that a client may send one that no response had.
func byHand(n int64) bool {
	const small = 1 << 20
	ends := []int64{math.MinInt64, math.MaxInt64, math.MinInt32, math.MaxInt32}
	return -small < n && n < small || slices.Contains(ends, n)
}
