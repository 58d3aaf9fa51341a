package exchange

import "slices"

// formList holds the forms of keys, the longest first, in one piece of memory. A load run of 10,000 keys has a million forms; as
// strings, the garbage collector would visit each of them.
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

// all yields every form.
func (l *formList) all(yield func([]byte) bool) {
	from := uint32(0)
	for _, end := range l.ends {
		if !yield(l.text[from:end:end]) {
			return
		}
		from = end
	}
}
