package history

import "strconv"

// Category is the category of the animals that the run creates: the one that it was given, else the smallest of 1 and
// more that its first listing shows, else 1. known says that the category exists on the target, because somebody said
// so or an animal has it.
func (h *History) Category() (id int64, known bool) {
	if h.Meta.CategoryID != 0 {
		return h.Meta.CategoryID, true
	}
	for _, x := range h.All {
		if _, ok := x.Pets(); ok {
			id, known = x.Category()
			break
		}
	}
	if !known {
		id = 1
	}
	return id, known
}

// Category is the smallest category of 1 and more that a listing shows, if it shows one.
func (x Exchange) Category() (id int64, known bool) {
	pets, _ := x.Pets()
	for _, p := range pets {
		n, err := strconv.ParseInt(p.Category(), 10, 64)
		if err == nil && n > 0 && n <= mostExact && (!known || n < id) {
			id, known = n, true
		}
	}
	return id, known
}

// mostExact is the largest integer that every JSON reader keeps.
const mostExact = 1 << 53
