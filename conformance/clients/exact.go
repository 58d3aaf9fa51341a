package clients

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// The kinds of identifier that responses contain and a client may send back.
const (
	anID      = "id"
	aCategory = "categoryId"
)

// identifiers are those of one kind, as responses have shown them.
type identifiers struct {
	// shown is when an identifier was shown first.
	shown map[int64]time.Time
	// changed maps the result of a conversion to float64 or int32 to the identifier, if it is another number.
	changed map[float64]int64
	// exact are the keys of clients that sent back an identifier which a float64 cannot hold.
	exact map[string]bool
	// cut says that the recording lacks a part of a response.
	cut bool
}

func newIdentifiers() *identifiers {
	return &identifiers{shown: map[int64]time.Time{}, changed: map[float64]int64{}, exact: map[string]bool{}}
}

// read reads the identifiers of a kind in a call and its response.
func (ids *identifiers) read(x history.Exchange, kind string) {
	ids.cut = ids.cut || x.Response != nil && x.Response.Truncated
	for _, p := range x.Shown() {
		text := p.ID
		if kind == aCategory {
			text = p.Category()
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if at, known := ids.shown[n]; err != nil || known && at.Before(x.Received()) {
			continue
		}
		ids.shown[n] = x.Received()
		if changes(n) {
			ids.changed[float64(n)] = n
		}
		if n != int64(int32(n)) {
			ids.changed[float64(int32(n))] = n
		}
	}
	if k, sent := sentBack(x); k == kind {
		if n, err := strconv.ParseInt(sent, 10, 64); err == nil && changes(n) && ids.given(n, x) {
			ids.exact[x.Caller.Key] = true
		}
	}
}

// changes reports whether a float64 cannot hold n.
func changes(n int64) bool {
	f := float64(n)
	return f >= math.MaxInt64 || int64(f) != n
}

// given reports whether a client had been given n when it sent x.
func (ids *identifiers) given(n int64, x history.Exchange) bool {
	at, shown := ids.shown[n]
	return shown && at.Before(x.Sent)
}

// sentBackExactly finds identifiers that the client changed by a conversion to float64 or int32. A client may request
// any id, so the id must be one that no animal has. A client that has sent back an id which a conversion would change
// may ask for those beside one on purpose.
func (s *story) sentBackExactly(x history.Exchange) (r rules.Reading) {
	kind, sent := sentBack(x)
	f, err := strconv.ParseFloat(sent, 64)
	if kind == "" || err != nil {
		return r
	}
	ids, missing := s.identifiers[kind], x.Status() == http.StatusNotFound || x.Status() == http.StatusBadRequest
	was, changed := ids.changed[f]
	n, err := strconv.ParseInt(sent, 10, 64)
	whole := err == nil // an id that is not is CLIENT-12's
	switch {
	case whole && ids.given(n, x):
		r.Applies = changes(n)
	case !changed || !ids.given(was, x) || ids.exact[x.Caller.Key] && beside(n, was), whole && byHand(n):
	case kind == aCategory && ids.cut, kind == anID && (!whole || !missing):
	default:
		r.Applies, r.Broken = true, []verdict.Finding{finding("CLIENT-13", x,
			kind+", which the client was given and sent back", strconv.FormatInt(was, 10), sent)}
	}
	return r
}

// sentBack is the identifier that a call sends: the petId of getPet or the categoryId of createPet.
func sentBack(x history.Exchange) (kind, sent string) {
	switch x.Operation {
	case spec.GetPet:
		return anID, x.PetID()
	case spec.CreatePet:
		members, _ := x.Posted().Value.(map[string]any)
		if category, ok := members["categoryId"].(json.Number); ok {
			return aCategory, category.String()
		}
	}
	return "", ""
}

// beside reports whether a client may have counted from one id to the other.
func beside(n, was int64) bool {
	const steps = 16
	return uint64(max(n, was)-min(n, was)) <= steps
}

// byHand reports whether people choose such numbers, so that a client may send one that no response had.
func byHand(n int64) bool {
	const small = 1 << 20
	ends := []int64{math.MinInt64, math.MaxInt64, math.MinInt32, math.MaxInt32}
	return -small < n && n < small || slices.Contains(ends, n)
}
