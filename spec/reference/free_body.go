package reference

import (
	"bytes"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"petconform/spec/strictjson"
)

var bodyFreedoms = slices.Concat(
	variants(Freedom{Open: open("CREATE-19"), Part: "media type"}, []Freedom{
		{Name: "any-media-type", Says: "A body is read as JSON, whatever its media type.", apply: func(b *behaviour) { b.mediaType = nothingToDo }},
		{Name: "media-type-required", Says: "A body without a media type is answered 415.", apply: func(b *behaviour) {
			b.mediaType = after(b.mediaType, func(c *call, refused *refusal) *refusal {
				if c.request.Header.Get("Content-Type") == "" {
					return &refusal{status: http.StatusUnsupportedMediaType, code: "media_type_missing", message: "The body is not declared application/json."}
				}
				return refused
			})
		}},
		{Name: "media-type-refused-with-400", Says: "A body of another media type is answered 400.", apply: func(b *behaviour) {
			b.mediaType = after(b.mediaType, func(_ *call, refused *refusal) *refusal {
				if refused != nil {
					return invalid("media_type", "The body is not declared application/json.")
				}
				return nil
			})
		}},
	}),
	[]Freedom{
		{Name: "big-bodies-refused", Open: open("Limits, rule 6: a limit on request body size is not shown"), Part: "body size",
			Says: "A body of more than 4 KiB is answered 413.", apply: func(b *behaviour) { b.maxBody = 4 << 10 }},
		{Name: "byte-order-mark-accepted", Open: open("RFC 8259, section 8.1: a parser may ignore a byte order mark"), Part: "byte order mark",
			Says: "A byte order mark before the body is ignored.", apply: func(b *behaviour) {
				strict := b.parse
				b.parse = func(body []byte) (strictjson.Value, error) { return strict(bytes.TrimPrefix(body, []byte("\ufeff"))) }
			}},
	},
)

// wholeNumber reads a number by its value, whatever its form. Its exponent has at most two digits, which bounds the work.
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
