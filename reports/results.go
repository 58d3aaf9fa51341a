package reports

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// ResultsSchema is the JSON Schema of results.json (draft 2020-12).
//
//go:embed results.schema.json
var ResultsSchema []byte

var resultsSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(ResultsSchema))
	if err != nil {
		return nil, err
	}
	const name = "urn:petconform:results:1"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
})

// ParseResults parses results.json and validates it against ResultsSchema. The error names the places that do not
// match.
func ParseResults(data []byte) (verdict.Results, error) {
	var res verdict.Results
	if err := shallow(data); err != nil {
		return res, err
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return res, fmt.Errorf("not results in JSON: %w", err)
	}
	if head.Schema != verdict.Schema {
		return res, fmt.Errorf("schema %q instead of %q", head.Schema, verdict.Schema)
	}
	schema, err := resultsSchema()
	if err != nil {
		return res, fmt.Errorf("the embedded schema: %w", err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return res, err
	}
	if err := schema.Validate(value); err != nil {
		return res, brief(err)
	}
	return res, json.Unmarshal(data, &res)
}

// The bounds of an error about the schema: the causes at each level, and its bytes. A file may break the schema a
// million times.
const (
	mostCauses      = 3
	mostSchemaError = 2 << 10
)

// brief returns the first causes of a schema error, in at most mostSchemaError bytes.
func brief(err error) error {
	var wrong *jsonschema.ValidationError
	if errors.As(err, &wrong) {
		few(wrong)
	}
	return errors.New(safe.Clip(strings.Join(strings.Fields(err.Error()), " "), mostSchemaError/utf8.UTFMax))
}

func few(err *jsonschema.ValidationError) {
	err.Causes = err.Causes[:min(mostCauses, len(err.Causes))]
	for _, cause := range err.Causes {
		few(cause)
	}
}

// The bounds of results.json. A run with four plans is 8 levels deep and has 200,000 values. What is deeper would be
// written with an indentation that is longer than the values.
const (
	deepest    = 16
	mostValues = 1 << 20
)

// shallow returns an error, with its place, if JSON is nested too deep or has too many values.
func shallow(data []byte) error {
	depth, values, quoted := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			values++
			if depth++; depth > deepest {
				return fmt.Errorf("byte %d is nested deeper than %d levels, so these are not results", i, deepest)
			}
		case c == '}', c == ']':
			depth--
		case c == ',':
			values++
		}
		if values > mostValues {
			return fmt.Errorf("byte %d comes after %d values, so these are not results", i, mostValues)
		}
	}
	return nil
}
