package checks

import (
	"strconv"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// getEarly requests an id that a later creation of the run will get if ids are assigned in order. The check
// get-existing requests it again when the animal exists, since a service may cache the 404.
var getEarly = check.Check{
	ID: "get-early", Title: "getPet of an animal that is yet to be created", Operation: spec.GetPet,
	Requests: 1, Needs: []string{"create-statuses"},
	Send: func(s *check.Sender) {
		id, ok := idToCome(s.Sent("create-statuses"))
		if !s.Getting() || !ok {
			s.Skip("the run knows no id that a later animal will get")
			return
		}
		s.Get("early", id)
	},
}

// creationsAhead is the largest number of creations before the one that gets the id which getEarly requests.
const creationsAhead = 6

// idToCome returns the id of the sixth creation after some, where their ids rise or fall by an equal step.
func idToCome(creations []history.Exchange) (string, bool) {
	var ids []int64
	for _, x := range creations {
		p, _ := x.Pet()
		id, err := strconv.ParseInt(p.ID, 10, 64)
		if err != nil {
			return "", false
		}
		ids = append(ids, id)
	}
	if len(ids) < 3 {
		return "", false
	}
	last := len(ids) - 1
	step := ids[last] - ids[last-1]
	if step == 0 || step != ids[last-1]-ids[last-2] || step > 1000 || step < -1000 {
		return "", false
	}
	next := ids[last] + creationsAhead*step
	return strconv.FormatInt(next, 10), (next > ids[last]) == (step > 0)
}
