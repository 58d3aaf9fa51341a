// Package hint says what usually breaks a requirement, and what mends that: by the framework that the responses show,
// by what a finding shows of its reason, or in general. It never says that something is so which no response showed.
package hint

import (
	"bytes"
	_ "embed"
	"fmt"
	"mime"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Row is one thing that usually is wrong, and what mends it.
type Row struct {
	Breaks []spec.ID `yaml:"breaks"`
	// When is what a finding has to be like: its Message, ": " and its Expected, and on the next line its Actual. Without
	// one, every finding is.
	When  *regexp.Regexp `yaml:"when"`
	Wrong string         `yaml:"wrong"`
	Mend  string         `yaml:"mend"`
}

// Stack is a framework, or a library that limits rates, with what usually is wrong in services that are built with it.
type Stack struct {
	Name  string `yaml:"name"`
	For   string `yaml:"for"` // the word for petconform explain --for
	Marks []mark `yaml:"marks"`
	Rows  []Row  `yaml:"rows"`
}

// Breaking returns the rows that are about a requirement.
func (s Stack) Breaking(id spec.ID) []Row {
	return slices.DeleteFunc(slices.Clone(s.Rows), func(r Row) bool { return !slices.Contains(r.Breaks, id) })
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

// Sign is what the responses show of the stack that made them.
type Sign struct {
	Stack string `json:"stack"`
	By    string `json:"by"` // what showed it: "X-Powered-By: Express"
}

// mark is what shows a stack in one response: a header, or the body of an error response of a media type, or both.
type mark struct {
	Header string         `yaml:"header"`
	Value  *regexp.Regexp `yaml:"value"`
	Media  string         `yaml:"media"`
	Body   *regexp.Regexp `yaml:"body"`
	As     string         `yaml:"as"`
}

// Seen returns the first stack of the table that any of the responses shows, and nil if none does.
func Seen(all []exchange.Exchange) *Sign {
	for _, s := range theTable().Stacks {
		for _, m := range s.Marks {
			for _, x := range all {
				if by := m.in(x.Response); by != "" {
					return &Sign{Stack: s.Name, By: by}
				}
			}
		}
	}
	return nil
}

// in returns what shows the mark in a response, or "".
func (m mark) in(r *exchange.Response) (by string) {
	if r == nil {
		return ""
	}
	by = m.As
	if m.Header != "" {
		found := m.Value.FindString(r.Header.Get(m.Header))
		if found == "" {
			return ""
		}
		if by == "" {
			by = m.Header + ": " + found
		}
	}
	if m.Body == nil {
		return by
	}
	// An Error body is written by the service itself.
	if r.Status < 400 || bytes.Contains(r.Body, []byte(`"code"`)) && bytes.Contains(r.Body, []byte(`"status"`)) {
		return ""
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != m.Media || !m.Body.Match(r.Body) {
		return ""
	}
	return by
}
