package reports

import (
	"encoding/json"
	"errors"
	"fmt"

	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// ParseResults parses results.json, whose layout results.schema.json describes.
func ParseResults(data []byte) (res verdict.Results, err error) {
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
		return res, fmt.Errorf("schema %q instead of %q", safe.Clip(head.Schema, mostQuoted), verdict.Schema)
	}
	if err := json.Unmarshal(data, &res); err != nil {
		return verdict.Results{}, errors.New(safe.Clip(err.Error(), mostQuoted)) // it may quote a value of any length
	}
	return res, nil
}

// mostQuoted is how many characters of a file an error quotes at most.
const mostQuoted = 200

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
