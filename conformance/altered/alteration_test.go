package altered

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"petconform/spec/exchange"
)

// Alteration is one change of one exchange of a recording.
type Alteration struct {
	// Exchange is the place in the recording's exchanges.
	Exchange int
	// What is done to which part of the response: "drop header". Of names the header or the member, and How is what
	// becomes of it: "to a string", "by 1".
	What, Of, How string
	// Element is the place of the animal in a listing, from 1; 0 where there is none.
	Element int

	apply func(x *exchange.Exchange)
}

// String tells the alteration in a line.
func (a Alteration) String() string {
	text := fmt.Sprintf("exchange %d: %s %s %s", a.Exchange+1, a.What, a.Of, a.How)
	if a.Element > 0 {
		text += fmt.Sprintf(", element %d", a.Element)
	}
	return text
}

// swaps reports whether something is exchanged for that of another exchange, which changes many things.
func (a Alteration) swaps() bool { return strings.HasPrefix(a.What, "swap") }

// In returns the recording with the alteration, and whether that changes anything. The other exchanges are shared with
// rec.
func (a Alteration) In(rec *exchange.Recording) (altered *exchange.Recording, changed bool) {
	was, out := rec.Exchanges[a.Exchange].Response, *rec
	r := *was
	r.Header = maps.Clone(r.Header)
	out.Exchanges = slices.Clone(rec.Exchanges)
	x := &out.Exchanges[a.Exchange]
	x.Response = &r
	a.apply(x)
	is := x.Response
	return &out, is == nil || is.Status != was.Status || !bytes.Equal(is.Body, was.Body) ||
		!a.swaps() && !maps.EqualFunc(is.Header, was.Header, slices.Equal[[]string])
}

// All returns every alteration of a recording, also those that change nothing because two answers are alike.
func All(rec *exchange.Recording) iter.Seq[Alteration] {
	return func(yield func(Alteration) bool) {
		for i, x := range rec.Exchanges {
			if x.Response == nil {
				continue
			}
			for _, a := range slices.Concat(ofHeaders(x), ofMediaType(x), ofStatus(x), ofAnswer(rec, i), ofBody(x), ofMembers(x), ofElements(x)) {
				a.Exchange = i
				if !yield(a) {
					return
				}
			}
		}
	}
}

// response makes an alteration of a response.
func response(what, of, how string, change func(r *exchange.Response)) Alteration {
	return Alteration{What: what, Of: of, How: how, apply: func(x *exchange.Exchange) { change(x.Response) }}
}

// body makes an alteration of the body.
func body(what, of, how string, to func() []byte) Alteration {
	return response(what, of, how, func(r *exchange.Response) { r.Body = to() })
}

// header makes an alteration of a header, which gets values, or is not there without any.
func header(what, name, how string, values ...string) Alteration {
	return response(what, name, how, func(r *exchange.Response) {
		if delete(r.Header, name); len(values) > 0 {
			r.Header[name] = values
		}
	})
}

// renamed makes an alteration of the name of a header.
func renamed(what, name, to string) Alteration {
	return response(what, name, "", func(r *exchange.Response) {
		r.Header[to] = r.Header[name]
		delete(r.Header, name)
	})
}
