package spec

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

// OpenAPI is the interface as an OpenAPI 3.1 document, for petconform and for other tools.
//
//go:embed openapi.yaml
var OpenAPI []byte

// Document returns the embedded OpenAPI document, loaded and validated. It panics if the document is invalid, which is a defect of
// the build.
var Document = sync.OnceValue(func() *openapi3.T {
	doc, err := LoadDocument(OpenAPI)
	if err != nil {
		panic(fmt.Sprintf("the embedded OpenAPI document: %v", err))
	}
	return doc
})

// LoadDocument loads and validates an OpenAPI document.
func LoadDocument(data []byte) (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		return nil, err
	}
	return doc, doc.Validate(context.Background())
}

// Mismatch is a place in a JSON value that does not match its schema.
type Mismatch struct {
	// Path is the JSON pointer to the place: ["3", "id"] is the id of the fourth element.
	Path []string
	// Member is the name of the missing or wrong member. It is "" for the value itself and for an element of an array.
	Member string
	Reason string
}

// Match compares a JSON value with a named schema and returns every mismatch. The value is one that encoding/json decodes, with
// numbers as json.Number or float64.
func Match(schema string, value any) []Mismatch {
	ref := Document().Components.Schemas[schema]
	if ref == nil {
		panic("the OpenAPI document has no schema " + schema)
	}
	return mismatches(ref.Value.VisitJSON(value, openapi3.MultiErrors()))
}

func mismatches(err error) []Mismatch {
	var many openapi3.MultiError
	if err == nil {
		return nil
	} else if errors.As(err, &many) {
		var all []Mismatch
		for _, e := range many {
			all = append(all, mismatches(e)...)
		}
		return all
	}
	var one *openapi3.SchemaError
	if !errors.As(err, &one) {
		return []Mismatch{{Reason: err.Error()}}
	}
	m := Mismatch{Path: one.JSONPointer(), Reason: strings.TrimPrefix(one.Reason, "value ")}
	if one.SchemaField == "required" {
		m.Reason = "is missing" // the library names the member once more
	}
	if n := len(m.Path); n > 0 && !isIndex(m.Path[n-1]) {
		m.Member = m.Path[n-1]
	}
	return []Mismatch{m}
}

func isIndex(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
