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
	// asFloat and asInt32 map the result of a conversion to float64 or int32 to the identifier.
	asFloat map[float64]int64
	asInt32 map[int32]int64
	// exact are the keys of clients that sent back an identifier which a float64 cannot hold.
	exact map[string]bool
	// cut says that the recording lacks a part of a response.
	cut bool
}

func newIdentifiers() *identifiers {
	return &identifiers{shown: map[int64]time.Time{}, asFloat: map[float64]int64{}, asInt32: map[int32]int64{}, exact: map[string]bool{}}
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
			ids.asFloat[float64(n)] = n
		}
		if n != int64(int32(n)) {
			ids.asInt32[int32(n)] = n
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

// sentBackExactly finds identifiers that the client changed by a conversion to float64 or int32.
func (s *story) sentBackExactly(x history.Exchange) (r rules.Reading) {
	kind, sent := sentBack(x)
	if kind == "" {
		return r
	}
	n, err := strconv.ParseInt(sent, 10, 64)
	r.Applies = err == nil && changes(n) && s.identifiers[kind].given(n, x)
	if was := s.rounded(x); was != "" && !r.Applies {
		r.Applies = true
		r.Broken = []verdict.Finding{finding("CLIENT-13", x, kind+", which the client was given and sent back", was, sent)}
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

// byHand reports whether people choose such numbers, so that a client may send one that no response had.
func byHand(n int64) bool {
	const small = 1 << 20
	return -small < n && n < small || slices.Contains([]int64{math.MinInt64, math.MaxInt64, math.MinInt32, math.MaxInt32}, n)
}

// rounded returns the identifier that a response had and the client sent back with other digits, or "" if there is none. A client
// may request any id, so the id must be one that no animal has, and the client must never have sent back an id that a conversion
// would change.
func (s *story) rounded(x history.Exchange) string {
	kind, sent := sentBack(x)
	f, err := strconv.ParseFloat(sent, 64)
	if kind == "" || err != nil || kind == anID && x.Status() != http.StatusNotFound && x.Status() != http.StatusBadRequest {
		return ""
	}
	ids := s.identifiers[kind]
	n, err := strconv.ParseInt(sent, 10, 64)
	whole := err == nil
	if !whole && kind == anID { // no int64 at all, which is CLIENT-12's
		return ""
	}
	if whole && byHand(n) || whole && ids.given(n, x) || ids.exact[x.Caller.Key] || kind == aCategory && ids.cut {
		return ""
	}
	if was, ok := ids.asFloat[f]; ok && ids.given(was, x) {
		return strconv.FormatInt(was, 10)
	}
	if was, ok := ids.asInt32[int32(n)]; ok && whole && n == int64(int32(n)) && ids.given(was, x) {
		return strconv.FormatInt(was, 10)
	}
	return ""
}
