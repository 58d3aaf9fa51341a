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

// Document returns the embedded OpenAPI document, loaded and validated. It panics if the document is invalid, which is
// a defect of the build.
var Document = sync.OnceValue(func() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(OpenAPI)
	if err == nil {
		err = doc.Validate(context.Background())
	}
	if err != nil {
		panic(fmt.Sprintf("the embedded OpenAPI document: %v", err))
	}
	return doc
})

// Mismatch is a place in a JSON value that does not match its schema.
type Mismatch struct {
	// Member is the name of the missing or wrong member. It is "" for the value itself and for an element of an array.
	Member string
	Reason string
}

// Match compares a JSON value with a named schema and returns every mismatch. The value is one that encoding/json
// decodes, with numbers as json.Number or float64.
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
	m := Mismatch{Reason: strings.TrimPrefix(one.Reason, "value ")}
	if one.SchemaField == "required" {
		m.Reason = "is missing" // the library names the member once more
	}
	if path := one.JSONPointer(); len(path) > 0 && strings.Trim(path[len(path)-1], "0123456789") != "" { // no index
		m.Member = path[len(path)-1]
	}
	return []Mismatch{m}
}
