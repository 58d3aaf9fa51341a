package reference

import (
	"bytes"
	"math/big"
	"net/http"
	"strings"

	"petconform/spec/reference/strictjson"
)

var bodyFreedoms = []Freedom{
	{
		Name: "any-media-type", Open: open("CREATE-19"), Part: "media type",
		Says:  "A body is read as JSON whatever it is declared as.",
		apply: func(b *behaviour) { b.mediaType = nothingToDo },
	},
	{
		Name: "media-type-required", Open: open("CREATE-19"), Part: "media type",
		Says: "A body without a media type is answered 415.",
		apply: func(b *behaviour) {
			before := b.mediaType
			b.mediaType = func(c *call) *refusal {
				if c.request.Header.Get("Content-Type") == "" {
					return &refusal{status: http.StatusUnsupportedMediaType, code: "media_type_missing", message: "The body is not declared application/json."}
				}
				return before(c)
			}
		},
	},
	{
		Name: "media-type-refused-with-400", Open: open("CREATE-19"), Part: "media type",
		Says: "A body that is declared another media type is answered 400.",
		apply: func(b *behaviour) {
			before := b.mediaType
			b.mediaType = func(c *call) *refusal {
				if before(c) != nil {
					return invalid("media_type", "The body is not declared application/json.")
				}
				return nil
			}
		},
	},
	{
		Name: "big-bodies-refused", Open: open("Limits, rule 6: a limit on request body size is not shown"), Part: "body size",
		Says:  "A body of more than 4 KiB is answered 413.",
		apply: func(b *behaviour) { b.maxBody = 4 << 10 },
	},
	{
		Name: "byte-order-mark-accepted", Open: open("RFC 8259, section 8.1: a parser may ignore a byte order mark"), Part: "byte order mark",
		Says: "A byte order mark before the body is ignored.",
		apply: func(b *behaviour) {
			strict := b.parse
			b.parse = func(body []byte) (strictjson.Value, error) { return strict(bytes.TrimPrefix(body, []byte("\ufeff"))) }
		},
	},
}

// wholeNumber reads a number by its value, however it is written. An exponent is bounded so that the work is.
func wholeNumber(v strictjson.Value) (int64, bool) {
	if v.Kind != strictjson.Number || len(v.Text) > 64 {
		return 0, false
	}
	if _, exponent, has := strings.Cut(strings.ToLower(v.Text), "e"); has && len(strings.Trim(exponent, "+-0")) > 2 {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(v.Text)
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}
