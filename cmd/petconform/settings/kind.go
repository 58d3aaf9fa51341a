package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is what a flag takes.
type Kind struct {
	// Type is Text, Whole, Time or Switch. Many says that the flag takes a list of them.
	Type Type
	Many bool
	// Words are the only values, if there are any.
	Words []string
	// Raw says that the flag replaces variables itself.
	Raw bool
}

// Type is the type of one value.
type Type string

// The types.
const (
	Text   Type = "text"
	Whole  Type = "a whole number"
	Time   Type = "a time like 30s"
	Switch Type = "true or false"
)

// check refuses a value of another type. A value with a variable is checked when the variable is replaced.
func (k Kind) check(key, value string) error {
	var err error
	switch k.Type {
	case Whole:
		_, err = strconv.ParseInt(value, 10, 64)
	case Time:
		_, err = time.ParseDuration(value)
	case Switch:
		if value != "true" && value != "false" {
			err = strconv.ErrSyntax
		}
	case Text:
		if len(k.Words) > 0 && !slices.Contains(k.Words, value) {
			return fmt.Errorf("%s is %q; use %s", key, value, strings.Join(k.Words, ", "))
		}
	}
	if err != nil {
		return fmt.Errorf("%s is %q; use %s", key, value, k.Type)
	}
	return nil
}
