package reference

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	"petconform/spec/reference/store"
)

// fails answers 500 with an HTML page.
func fails(is func(c *call) bool) func(*behaviour) {
	return ofOperations.and(calls(is)).then(as(http.StatusInternalServerError, page))
}

// notASCII reports whether a request has a character beyond ASCII in its address.
func notASCII(c *call) bool {
	query, _ := url.QueryUnescape(c.request.URL.RawQuery)
	return beyondASCII(c.request.URL.Path + query)
}

// interned replaces a name by an earlier one that is equal by fold.
func interned(fold func(string) string) func(*behaviour) {
	return func(b *behaviour) {
		var mu sync.Mutex
		first := map[string]string{}
		keep(func(p spec.NewPet) spec.NewPet {
			mu.Lock()
			defer mu.Unlock()
			if name, known := first[fold(p.Name)]; known {
				p.Name = name
			}
			first[fold(p.Name)] = p.Name
			return p
		})(b)
	}
}

// repeated selects the answers with a status to a GET that was answered with the same before.
func repeated(status int) when {
	var mu sync.Mutex
	kept := map[string][]byte{}
	return func(c *call, a *answer) bool {
		mu.Lock()
		defer mu.Unlock()
		if c.request.Method != http.MethodGet || a.status != status {
			return false
		}
		before, known := kept[c.request.RequestURI]
		kept[c.request.RequestURI] = a.body
		return known && bytes.Equal(before, a.body)
	}
}

// rareDeviations show for requests that few clients send.
var rareDeviations = slices.Concat(
	[]Deviation{
		{Name: "auth-basic-password-accepted", Breaks: ids("AUTH-4"), Suffers: "A key as the password of Basic passes here and fails elsewhere.",
			apply: accept(spec.Operations(), func(authorization, secret string) bool {
				plain, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(authorization, "Basic "))
				return err == nil && strings.HasSuffix(string(plain), ":"+secret)
			})},
		{Name: "auth-undefined-accepted", Breaks: ids("AUTH-3"), Suffers: "A client whose key is not set passes.",
			apply: accept(spec.Operations(), func(authorization, _ string) bool { return authorization == "Bearer undefined" })},
		{Name: "rate-none-when-repeated", Breaks: ids("RATE-1"), Suffers: "A cache answers the same listing again without the rate-limit headers.",
			apply: func(b *behaviour) { repeated(http.StatusOK).and(on(spec.ListPets)).then(noRate)(b) }},
		{Name: "rate-none-when-fetched-again", Breaks: ids("RATE-1"), Suffers: "A cache answers the same getPet again without the rate-limit headers.",
			apply: func(b *behaviour) { on(spec.GetPet).and(repeated(http.StatusOK)).then(noRate)(b) }},
		{Name: "miss-remembered-as-null", Breaks: ids("GET-3"), May: ids("GET-2"), Suffers: "A client that asks for a missing animal again reads null, which a cache kept.",
			apply: func(b *behaviour) {
				on(spec.GetPet).and(repeated(http.StatusNotFound)).then(replaced(200, mediaJSON, "null"))(b)
			}},
		{Name: "limit-98-refused", Needs: Varied, Breaks: ids("LIST-3"), Suffers: "One limit is refused.", apply: refuseLimit(func(n int) bool { return n == 98 })},
		{Name: "limit-50-lists-49", Needs: Varied, Breaks: ids("LIST-11"), Suffers: "A limit of 50 lists 49 animals.", apply: seeded(60, func(b *behaviour) {
			b.listOrder = store.NewestFirst
			takeLimit(instead(50, 49))(b)
		})},
	},
	table(Deviation{Breaks: ids("AUTH-3", "ERROR-1"), May: ids("ERROR-7")}, []Deviation{
		{Name: "auth-key-not-ascii-fails", Suffers: "A key with a letter beyond ASCII ends in a server error.", apply: fails(func(c *call) bool {
			return strings.ContainsFunc(c.request.Header.Get("Authorization"), func(r rune) bool { return r > 127 })
		})},
		{Name: "auth-long-key-fails", Needs: Varied, Suffers: "A key of 8 KB ends in a server error.",
			apply: fails(func(c *call) bool { return len(c.request.Header.Get("Authorization")) > 4000 })},
	}),
	table(Deviation{Breaks: ids("ERROR-1"), May: ids("ERROR-7")}, []Deviation{
		{Name: "limit-twice-fails", Suffers: "A limit that is given twice ends in a server error.", apply: fails(func(c *call) bool { return len(c.request.URL.Query()["limit"]) > 1 })},
		{Name: "query-of-9-kb-fails", Needs: Full, Suffers: "A long query ends in a server error.", apply: fails(func(c *call) bool { return len(c.request.URL.RawQuery) > 8<<10 })},
		{Name: "petid-of-300-digits-fails", Suffers: "A petId of 300 digits ends in a server error.", apply: fails(func(c *call) bool { return len(c.petID) >= 300 })},
		{Name: "petid-not-utf-8-fails", Needs: Full, Suffers: "A petId that is not UTF-8 ends in a server error.", apply: fails(func(c *call) bool { return strings.Contains(c.petID, "%FF") })},
		{Name: "gateway-413-page-beyond-900-kb", Needs: Full, Suffers: "A body of 1 MB is refused with the gateway's HTML page.", apply: gateway(larger(900<<10), as(413, page))},
	}),
	table(Deviation{Breaks: ids("CREATE-6", "ERROR-1"), May: ids("ERROR-7"), Needs: Full}, []Deviation{
		{Name: "body-of-1-mb-fails", Suffers: "A body of 1 MB ends in a server error.", apply: gateway(larger(900<<10), as(500, page))},
		{Name: "body-chunked-fails", Suffers: "A body in chunks ends in a server error.",
			apply: fails(func(c *call) bool { return slices.Contains(c.request.TransferEncoding, "chunked") })},
	}),
	table(Deviation{Breaks: ids("CREATE-11", "ERROR-1"), May: ids("ERROR-7"), Needs: Full}, []Deviation{
		{Name: "body-byte-order-mark-fails", Suffers: "A byte order mark ends in a server error.", apply: failOn(func(body []byte) bool { return bytes.HasPrefix(body, []byte("\ufeff")) })},
	}),
	table(Deviation{Breaks: ids("ERROR-2")}, []Deviation{
		{Name: "error-quotes-in-latin1", Suffers: "A message that quotes a letter beyond ASCII is not UTF-8, which breaks strict decoders.",
			apply: failed.and(calls(notASCII)).then(substituted(`"message":"`, "\"message\":\"\xfc "))},
	}),
	table(Deviation{Breaks: ids("CREATE-3"), May: ids("CREATE-13")}, []Deviation{
		{Name: "name-true-as-boolean", Suffers: "The name true is stored as a boolean and shown as 1.", apply: stored(named(instead("true", "1")))},
		{Name: "name-date-revived", Suffers: "A name that looks like a date is stored as one.", apply: stored(named(instead("2024-01-31", "2024-01-31T00:00:00.000Z")))},
		{Name: "name-exponent-as-number", Needs: Full, Suffers: "The name 1e3 is stored as a number.", apply: stored(named(instead("1e3", "1000")))},
		{Name: "name-of-a-control-character-emptied", Needs: Full, Suffers: "A name of one control character is stored empty.", apply: stored(named(instead("\x1b", "")))},
		{Name: "name-cut-at-500", Suffers: "Names end after 500 characters.", apply: stored(named(cut(500)))},
		{Name: "name-interned-in-any-case", Suffers: "A name that differs by its capitals from an earlier one becomes that.", apply: interned(strings.ToLower)},
		{Name: "name-interned-without-accents", Suffers: "A name that differs by accents from an earlier one becomes that.", apply: interned(foldAccents)},
	}),
)
