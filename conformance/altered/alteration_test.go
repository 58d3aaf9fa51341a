package altered

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"

	"petconform/spec/exchange"
)

// Kind is what is done to a thing.
type Kind string

// The kinds of alteration.
const (
	Drop      Kind = "drop"
	Rename    Kind = "rename"
	Retype    Kind = "retype"
	Reorder   Kind = "reorder"
	Truncate  Kind = "truncate"
	Duplicate Kind = "duplicate"
	Shift     Kind = "shift"
	Swap      Kind = "swap"
	Replace   Kind = "replace"
	Add       Kind = "add"
)

// Part is what it is done to.
type Part string

// The parts of a response.
const (
	Header    Part = "header"
	MediaType Part = "media type"
	Status    Part = "status"
	Body      Part = "body"
	Member    Part = "member"
	Element   Part = "element"
	Answer    Part = "answer"
)

// Alteration is one change of one exchange of a recording.
type Alteration struct {
	// Exchange is the place in the recording's exchanges.
	Exchange int
	Kind     Kind
	Part     Part
	// Of names the header or the member.
	Of string
	// How says what becomes of it: "to a string", "by 1".
	How string
	// Element is the place of the animal in a listing, -1 where there is none.
	Element int

	apply func(x *exchange.Exchange)
}

// String tells the alteration in a line.
func (a Alteration) String() string {
	words := []string{fmt.Sprintf("exchange %d:", a.Exchange+1), string(a.Kind), "the", string(a.Part), a.Of}
	if a.Element >= 0 {
		words = append(words, fmt.Sprintf("of element %d", a.Element+1))
	}
	return strings.Join(strings.Fields(strings.Join(append(words, a.How), " ")), " ")
}

// In returns the recording with the alteration. The other exchanges are shared with rec.
func (a Alteration) In(rec *exchange.Recording) *exchange.Recording {
	out := *rec
	out.Exchanges = slices.Clone(rec.Exchanges)
	out.Exchanges[a.Exchange] = a.copyOf(rec.Exchanges[a.Exchange])
	a.apply(&out.Exchanges[a.Exchange])
	return &out
}

// All returns every alteration of a recording, also those that change nothing because two answers are alike: see Changes.
func All(rec *exchange.Recording) iter.Seq[Alteration] {
	return func(yield func(Alteration) bool) {
		for i, x := range rec.Exchanges {
			if x.Response == nil {
				continue
			}
			for _, of := range []func(*exchange.Recording, int) []Alteration{
				ofHeaders, ofMediaType, ofStatus, ofAnswer, ofBody, ofMembers, ofElements,
			} {
				for _, a := range of(rec, i) {
					a.Exchange = i
					if !yield(a) {
						return
					}
				}
			}
		}
	}
}

// Changes reports whether the alteration changes anything.
func (a Alteration) Changes(rec *exchange.Recording) bool {
	was := *rec.Exchanges[a.Exchange].Response
	x := a.copyOf(rec.Exchanges[a.Exchange])
	a.apply(&x)
	r := x.Response
	return r == nil || r.Status != was.Status || !bytes.Equal(r.Body, was.Body) || a.Kind != Swap && !maps.EqualFunc(r.Header, was.Header, slices.Equal[[]string])
}

// copyOf copies what an alteration writes to.
func (Alteration) copyOf(x exchange.Exchange) exchange.Exchange {
	r := *x.Response
	r.Header = maps.Clone(r.Header)
	x.Response = &r
	return x
}

// onResponse makes an alteration of a response.
func onResponse(k Kind, p Part, of, how string, change func(r *exchange.Response)) Alteration {
	return Alteration{Kind: k, Part: p, Of: of, How: how, Element: -1,
		apply: func(x *exchange.Exchange) { change(x.Response) }}
}

// onHeader makes an alteration of a response's header.
func onHeader(k Kind, p Part, of, how string, change func(h http.Header)) Alteration {
	return onResponse(k, p, of, how, func(r *exchange.Response) { change(r.Header) })
}
