package run

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/history"
)

// sequence is what the requests of a sequence that is being sent refer to: its animals and its listings.
type sequence struct {
	*plan.State
	number, place      int
	names, bodies, ids []string // of the animals that it created
	limit, shown       int      // of its last listing without a filter
}

// word is what a word of a drawn row stands for. A number is a place among the animals of the sequence, from the last one.
func (x *sequence) word(word string) (value string, is bool) {
	name, number, _ := strings.Cut(word, "-")
	n, _ := strconv.Atoi(number)
	switch name {
	case "name":
		return fmt.Sprintf("petconform-%s-x%04d.%02d", x.Meta.Run, x.number, x.place), true
	case "named":
		return last(x.names, n), true
	case "made":
		return last(x.bodies, n), true
	case "mine":
		return last(x.ids, n), true
	case "coming": // an id that an animal gets after the last one of the sequence, where ids count up
		id, err := strconv.ParseInt(last(x.ids, 0), 10, 64)
		if err != nil || id > 1<<62 {
			return "", true
		}
		return strconv.FormatInt(id+1+int64(n), 10), true
	case "limit":
		return strconv.Itoa(x.limit), true
	case "shown":
		return strconv.Itoa(min(max(x.shown, spec.MinLimit), spec.MaxLimit)), true
	}
	return "", false
}

// last returns the element n before the last one; "" if there is none.
func last(all []string, n int) string {
	if n >= len(all) {
		return ""
	}
	return all[len(all)-1-n]
}

// note keeps what later requests refer to.
func (x *sequence) note(got history.Exchange) {
	if p, created := got.Pet(); created && got.Operation == spec.CreatePet {
		name, _ := json.Marshal(got.SentName()) // a string always marshals
		x.names, x.bodies = append(x.names, string(name)), append(x.bodies, string(got.Request.Body))
		if p.ID != "" {
			x.ids = append(x.ids, p.ID)
		}
	}
	if limit, status, plain := got.Listing(); plain && status == "" && got.Len() >= 0 {
		x.limit, x.shown = limit, got.Len()
	}
}
