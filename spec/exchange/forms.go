package exchange

import "slices"

// formList are the forms of some keys, the longest first, in one piece of memory: a load run of ten thousand keys has a
// million of them, which the garbage collector would look at one by one.
type formList struct {
	text []byte
	ends []uint32
}

func newFormList(forms []string) formList {
	slices.SortStableFunc(forms, func(a, b string) int { return len(b) - len(a) })
	size := 0
	for _, form := range forms {
		size += len(form)
	}
	l := formList{make([]byte, 0, size), make([]uint32, 0, len(forms))}
	for _, form := range forms {
		l.text = append(l.text, form...)
		l.ends = append(l.ends, uint32(len(l.text)))
	}
	return l
}

// all gives every form.
func (l *formList) all(yield func([]byte) bool) {
	from := uint32(0)
	for _, end := range l.ends {
		if !yield(l.text[from:end:end]) {
			return
		}
		from = end
	}
}
