package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// mostQuoted is how many characters of a file an error quotes at most.
const mostQuoted = 200

// ParseResults parses results.json, whose layout results.schema.json describes.
func ParseResults(in io.Reader) (res verdict.Results, err error) {
	data, err := io.ReadAll(in)
	if err != nil {
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
