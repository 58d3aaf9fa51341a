package plan

import (
	"fmt"
	"regexp"
	"strings"

	"petconform/spec"
)

// Again is the step of a read that is sent once more, for the n-th time.
func Again(step string, n int) string { return fmt.Sprintf("%s, again %d", Asked(step), n) }

// Asked is the step of a read as it was sent first.
func Asked(step string) string {
	if !strings.Contains(step, ", again ") {
		return step
	}
	return again.ReplaceAllString(step, "")
}

var again = regexp.MustCompile(`, again [0-9]+$`)

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

const afterRefused = "after "

const ofAnimal = "animal "

// ofAny is the row of any check that a step names: that of Animal, or of later.
func ofAny(step string) (Row, bool) {
	if refused, is := strings.CutPrefix(step, afterRefused); is {
		return later("", refused).Row, true
	}
	id, is := strings.CutPrefix(step, ofAnimal)
	return Animal(id).Row, is
}
