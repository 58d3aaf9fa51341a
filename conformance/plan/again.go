package plan

import (
	"fmt"
	"strings"

	"petconform/spec"
)

// The words in the steps of requests that the tables don't have: of a read that is sent again, of the getPet of any
// animal, and of a createPet after one that was refused.
const again, ofAnimal, afterRefused = ", again ", "animal ", "after "

// Again is the step of a read that is sent once more, for the n-th time.
func Again(step string, n int) string { return fmt.Sprint(Asked(step), again, n) }

// Asked is the step of a read as it was sent first.
func Asked(step string) string {
	asked, _, _ := strings.Cut(step, again)
	return asked
}

// Animal is the getPet that a run of any size sends for an animal that a listing lacks.
func Animal(id string) Request {
	return Request{"get-existing", Row{Step: ofAnimal + id, Path: "/pets/" + id}}
}

// WholeStore lists all that was created, where no other listing shows it.
var WholeStore = Request{"list-created", Row{Step: "all", Path: "/pets?limit=100"}}

// later is a plain createPet after one of the check that was refused: only a full store refuses it too.
func later(check, refused string) Request {
	return Request{check, pet(afterRefused+refused, "%n", "%c", spec.Available)}
}

// ofAny is the row of any check that a step names: that of Animal, or of later.
func ofAny(step string) (Row, bool) {
	if refused, is := strings.CutPrefix(step, afterRefused); is {
		return later("", refused).Row, true
	}
	id, is := strings.CutPrefix(step, ofAnimal)
	return Animal(id).Row, is
}
