package exchange

import (
	"cmp"
	"slices"
	"strings"

	"petconform/spec"
)

// Way has phrases that say how a target was reached, such as "through the proxy http://proxy.example:3128". It is empty
// if the target was reached directly.
type Way []string

const directly = "directly"

// String is the way in one phrase.
func (w Way) String() string { return cmp.Or(strings.Join(w, ", "), directly) }

// With adds the way of another run of the same target.
func (w Way) With(other Way) Way {
	if w.String() == other.String() {
		return w
	}
	return spec.With(slices.Clone(w.phrases()), other.phrases()...)
}

func (w Way) phrases() []string {
	if len(w) == 0 {
		return []string{directly}
	}
	return w
}
