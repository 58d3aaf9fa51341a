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
