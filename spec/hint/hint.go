// Package hint says what usually breaks a requirement, and what mends that: by the framework that the responses show,
// by what a finding shows of its reason, or in general. It never says that something is so which no response showed.
package hint

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"petconform/spec"
)

// Row is one thing that usually is wrong, and what mends it.
type Row struct {
	Breaks []spec.ID `yaml:"breaks"`
	// When is what a finding has to be like: its Message, ": " and its Expected, and on the next line its Actual. Without
	// one, every finding is.
	When  *pattern `yaml:"when"`
	Wrong string   `yaml:"wrong"`
	Mend  string   `yaml:"mend"`
}

// Stack is a framework, or a library that limits rates, with what usually is wrong in services that are built with it.
type Stack struct {
	Name string `yaml:"name"`
	// For is the word for petconform explain --for.
	For   string `yaml:"for"`
	Marks []mark `yaml:"marks"`
	Rows  []Row  `yaml:"rows"`
}

// Breaking returns the rows that are about a requirement.
func (s Stack) Breaking(id spec.ID) []Row {
	return slices.DeleteFunc(slices.Clone(s.Rows), func(r Row) bool { return !slices.Contains(r.Breaks, id) })
}

type pattern struct{ *regexp.Regexp }

// UnmarshalText compiles a regular expression.
func (p *pattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile(string(text))
	return err
}

//go:embed stacks.yaml
var stacksYAML []byte

type table struct {
	Usual    []Row   `yaml:"usual"`
	Stacks   []Stack `yaml:"stacks"`
	Limiters []Stack `yaml:"limiters"`
}

// theTable panics if the embedded table is invalid, which is a defect of the build.
var theTable = sync.OnceValue(func() (t table) {
	decoder := yaml.NewDecoder(strings.NewReader(string(stacksYAML)))
	decoder.KnownFields(true)
	if err := decoder.Decode(&t); err != nil {
		panic(fmt.Sprintf("the embedded table of stacks: %v", err))
	}
	return t
})

func Stacks() []Stack { return slices.Concat(theTable().Stacks, theTable().Limiters) }

// mostRead is how many bytes of Expected and of Actual a row is compared with.
const mostRead = 4 << 10

// Of returns the hint for a finding of a service, in whose responses sign was seen; sign is nil if none was.
func Of(id spec.ID, message, expected, actual string, sign *Sign) string {
	shown := message + ": " + expected[:min(len(expected), mostRead)] + "\n" + actual[:min(len(actual), mostRead)]
	fits := func(r Row) bool {
		return slices.Contains(r.Breaks, id) && (r.When == nil || r.When.MatchString(shown))
	}
	rows := theTable().Usual
	for _, s := range theTable().Stacks {
		if sign != nil && s.Name == sign.Stack {
			rows = slices.Concat(s.Rows, rows)
		}
	}
	if i := slices.IndexFunc(rows, fits); i >= 0 {
		return fmt.Sprintf("Usually %s. %s", rows[i].Wrong, rows[i].Mend)
	}
	r, _ := spec.TheLedger().Find(id)
	return r.Hint
}
