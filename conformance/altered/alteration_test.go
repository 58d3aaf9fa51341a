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

// Kind is what is done to a thing, and Part is the part of a response that it is done to.
type (
	Kind string
	Part string
)

const (
	Drop, Rename, Retype, Reorder, Truncate Kind = "drop", "rename", "retype", "reorder", "truncate"
	Duplicate, Shift, Swap, Replace, Add    Kind = "duplicate", "shift", "swap", "replace", "add"
	Header, MediaType, Status, Body         Part = "header", "media type", "status", "body"
	Member, Element, Answer                 Part = "member", "element", "answer"
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
	// Element is the place of the animal in a listing, from 1; 0 where there is none.
	Element int

	apply func(x *exchange.Exchange)
}

// String tells the alteration in a line.
func (a Alteration) String() string {
	words := []string{fmt.Sprintf("exchange %d:", a.Exchange+1), string(a.Kind), "the", string(a.Part), a.Of}
	if a.Element > 0 {
		words = append(words, fmt.Sprintf("of element %d", a.Element))
	}
	return strings.Join(strings.Fields(strings.Join(append(words, a.How), " ")), " ")
}

// key is what the rules match: what is done to which part, its name, and how.
func (a Alteration) key() string { return fmt.Sprintf("%s %s|%s|%s", a.Kind, a.Part, a.Of, a.How) }

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
		a.Kind != Swap && !maps.EqualFunc(is.Header, was.Header, slices.Equal[[]string])
}

// All returns every alteration of a recording, also those that change nothing because two answers are alike.
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

// onResponse makes an alteration of a response.
func onResponse(k Kind, p Part, of, how string, change func(r *exchange.Response)) Alteration {
	return Alteration{Kind: k, Part: p, Of: of, How: how, apply: func(x *exchange.Exchange) { change(x.Response) }}
}

// onHeader makes an alteration of a header, which gets values, or is not there without any.
func onHeader(k Kind, p Part, name, how string, values ...string) Alteration {
	return onResponse(k, p, name, how, func(r *exchange.Response) {
		if delete(r.Header, name); len(values) > 0 {
			r.Header[name] = values
		}
	})
}

// renamed makes an alteration of the name of a header.
func renamed(p Part, name, to string) Alteration {
	return onResponse(Rename, p, name, "", func(r *exchange.Response) {
		r.Header[to] = r.Header[name]
		delete(r.Header, name)
	})
}
