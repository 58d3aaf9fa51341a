package reference

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/spec"
)

// answered changes the successful answers that w selects.
func answered(w when, change func(*call, *answer)) func(*behaviour) {
	return on(showing...).and(succeeded).and(w).then(change)
}

var mediaDeviations = table(Deviation{Breaks: ids("SERVICE-1")}, []Deviation{
	{Name: "media-text-on-list", Suffers: "A client that goes by the media type shows a listing as text.", apply: answered(on(spec.ListPets), declared(textType))},
	{Name: "media-html-on-create", Suffers: "A new animal is declared as HTML, the framework's default.", apply: answered(on(spec.CreatePet), declared(htmlType))},
	{Name: "media-text-on-get", Suffers: "A fetched animal is declared as text.", apply: answered(on(spec.GetPet), declared("text/plain"))},
	{Name: "media-none", Suffers: "A client must guess the media type.", apply: answered(always, declared(""))},
	{Name: "media-none-on-get", Suffers: "A client must guess the media type of a fetched animal.", apply: answered(on(spec.GetPet), declared(""))},
	{Name: "media-bytes-on-list", Suffers: "A browser saves the listing as a file.", apply: answered(on(spec.ListPets), declared("application/octet-stream"))},
	{Name: "media-json-api", Suffers: "The body is declared as a format that it does not have.", apply: answered(always, declared("application/vnd.api+json"))},
	{Name: "media-word", Suffers: "The header does not hold a media type.", apply: answered(on(spec.CreatePet), declared("json"))},
	{Name: "media-text-when-empty", Suffers: "An empty listing is declared as text.", apply: answered(emptyList, declared(textType))},
	{Name: "media-html-when-filtered", Suffers: "Filtered listings are declared as HTML, because a cache lost the media type.", apply: answered(filtered, declared(htmlType))},
})

var jsonDeviations = table(Deviation{Breaks: ids("SERVICE-2")}, slices.Concat(jsonFrameRows, jsonTextRows))

var jsonFrameRows = []Deviation{
	{Name: "json-byte-order-mark", Suffers: "A strict parser fails on the byte order mark.", apply: answered(always, surrounded("\ufeff", ""))},
	{Name: "json-guard-prefix", Suffers: "A client must know the prefix against script inclusion and remove it.", apply: answered(on(spec.ListPets), surrounded(")]}',\n", ""))},
	{Name: "json-warning-before", Suffers: "A warning of the interpreter stands before the body.", apply: answered(on(spec.CreatePet), surrounded("<br />\n<b>Warning</b>: undefined index\n", ""))},
	{Name: "json-footer-behind", Suffers: "A debugging comment stands behind the body.", apply: answered(on(spec.ListPets), surrounded("", "\n<!-- 4 ms -->"))},
	{Name: "json-twice", Suffers: "The body is written twice.", apply: answered(on(spec.GetPet), rewritten(func(body []byte) []byte { return bytes.Repeat(body, 2) }))},
	{Name: "json-last-byte-missing", Suffers: "The last bracket is missing.", apply: answered(on(spec.ListPets), rewritten(func(body []byte) []byte { return body[:len(body)-1] }))},
	{Name: "json-empty-when-empty", Breaks: ids("LIST-2"), Suffers: "An empty listing has an empty body, which a parser refuses.", apply: answered(emptyList, saying(""))},
	{Name: "json-empty-on-201", Breaks: ids("CREATE-2"), Suffers: "A client does not learn which animal it created.", apply: answered(having(201), saying(""))},
	{Name: "json-trailing-comma", Suffers: "A comma stands before the last bracket.", apply: answered(on(spec.ListPets), rewritten(func(body []byte) []byte {
		if len(body) <= 2 {
			return body
		}
		return append(slices.Clone(body[:len(body)-1]), ",]"...)
	}))},
	{Name: "json-lines", May: ids("LIST-2"), Suffers: "Each animal stands on a line of its own, without an array.", apply: answered(on(spec.ListPets), rewritten(func(body []byte) []byte {
		return bytes.ReplaceAll(bytes.Trim(body, "[]"), []byte("},{"), []byte("}\n{"))
	}))},
	{Name: "json-length-in-letters", Suffers: "The length counts characters, so a name beyond ASCII cuts the body short.", apply: answered(always, rewritten(func(body []byte) []byte {
		return body[:utf8.RuneCount(body)]
	}))},
}

var jsonTextRows = []Deviation{
	{Name: "json-single-quotes", Suffers: "The body is a printed value in single quotes.", apply: answered(always, substituted(`"`, `'`))},
	{Name: "json-utf16", Suffers: "The body is UTF-16, which JSON parsers do not expect.", apply: answered(on(spec.GetPet), rewritten(utf16Bytes))},
	{Name: "json-latin1", May: ids("CREATE-3", "LIST-10", "CREATE-13", "GET-2"), Suffers: "Names with accents are not UTF-8.", apply: answered(always, rewritten(latin1))},
	{Name: "json-names-unescaped", Suffers: "A quotation mark in a name ends the string.", apply: answered(always, substituted(`\"`, `"`))},
	{Name: "json-emoji-halved", Suffers: "Characters beyond U+FFFF are written as two surrogates, which is not UTF-8.", apply: answered(always, rewritten(surrogateBytes))},
	{Name: "json-newline-unescaped", May: ids("LIST-2"), Suffers: "A line break in a name is not escaped.", apply: answered(always, substituted(`\n`, "\n"))},
	{Name: "json-backslash-unescaped", May: ids("CREATE-3"), Suffers: "A backslash in a name begins an invalid escape.", apply: answered(always, substituted(`\\`, `\`))},
}

func utf16Bytes(body []byte) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(string(body))) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

// latin1 writes characters beyond U+00FF as question marks.
func latin1(body []byte) []byte {
	var out []byte
	for _, r := range string(body) {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out
}

// surrogateBytes writes each half of a surrogate pair as three bytes, as some databases do.
func surrogateBytes(body []byte) []byte {
	var out []byte
	for _, r := range string(body) {
		high, low := utf16.EncodeRune(r)
		if high == utf8.RuneError {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, half := range [2]rune{high, low} {
			out = append(out, 0xe0|byte(half>>12), 0x80|byte(half>>6)&0x3f, 0x80|byte(half)&0x3f)
		}
	}
	return out
}

// beyond reports whether a text has a character above limit.
func beyond(text string, limit rune) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > limit })
}
