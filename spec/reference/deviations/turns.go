package deviations

import (
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/store"
	"petconform/spec/strictjson"
)

// turnRows show to one way of writing a key, an id, a name or a query. A standard run takes most of these ways in turn.
var turnRows = slices.Concat(
	faults(breaks("AUTH-3"))(
		fault("auth-key-end-not-compared", "The last letter of a key is not compared.",
			similar(func(secret, token string) bool {
				return len(token) == len(secret) && token[:len(token)-1] == secret[:len(secret)-1]
			}), needs(Full)),
		fault("auth-key-quotes-removed", "A key in quotation marks passes here and fails elsewhere.",
			similar(func(secret, token string) bool { return strings.Trim(token, `"`) == secret }), needs(Full)),
		fault("auth-key-up-to-comma", "Only the text up to a comma is compared.", similar(upTo(",")), needs(Full)),
		fault("auth-key-up-to-space", "Only the first word is compared.", similar(upTo(" "))),
		fault("auth-key-with-more-accepted-on-create", "createPet takes a key with text pasted behind it.",
			accept([]spec.Operation{spec.CreatePet}, func(authorization, secret string) bool {
				return strings.HasPrefix(authorization, "Bearer "+secret)
			}), needs(Full)),
		fault("auth-empty-key-accepted-on-get", "getPet takes a client without a configured key.",
			accept(OnGet, emptyKey), needs(Full)),
	),
	faults(breaks("AUTH-4"))(
		fault("auth-cookie-accepted",
			"A key in a cookie passes, so any page that a browser shows can act for its user.",
			acceptToken(func(r *http.Request) string {
				cookie, err := r.Cookie("api_key")
				if err != nil {
					return ""
				}
				return cookie.Value
			})),
		fault("auth-longer-scheme-accepted", "A scheme that begins like Bearer passes.",
			accept(spec.Operations(), func(authorization, secret string) bool {
				scheme, token, _ := strings.Cut(authorization, " ")
				return strings.HasPrefix(scheme, "Bearer") && token == secret
			}), needs(Full)),
		fault("auth-plain-basic-accepted", "A key under Basic passes here and fails elsewhere.",
			accept(spec.Operations(), func(authorization, secret string) bool {
				return authorization == "Basic "+secret
			}), needs(Full)),
		fault("auth-token-scheme-accepted", "The scheme of another framework passes here and fails elsewhere.",
			accept(spec.Operations(), func(authorization, secret string) bool {
				return authorization == "Token "+secret
			})),
	),
	faults(breaks("GET-3"), may("GET-2"))(
		fault("get-ids-beyond-32-bits-cut",
			"An id that is too large by 2^32 finds an animal, among ids that are beyond 2^32 themselves.",
			shiftIDs(1<<40, Asked(func(id int64, refused *Refusal) (int64, *Refusal) {
				return 1<<40 + id&(1<<32-1), refused
			}))),
		fault("get-counts-from-the-end", "The id -1 finds the newest animal, as a list of Python does.",
			position(func(id int64, n int) int64 { return id + int64(n) })),
		fault("get-0-finds-the-newest", "The id 0 finds the newest animal.", position(func(id int64, n int) int64 {
			if id != 0 {
				n = 0
			}
			return int64(n) - 1
		})),
		fault("get-largest-id-finds-the-newest", "The largest id finds the newest animal, as a limit would.",
			position(func(id int64, n int) int64 {
				if id != math.MaxInt64 {
					n = 0
				}
				return int64(n) - 1
			}), needs(Full)),
	),
	faults(breaks("GET-1"), may("CREATE-13"))(
		fault("get-pending-hidden", "A pending animal cannot be fetched.",
			fetched(func(c *Call) bool { return c.Pet.Status == spec.Pending }, WithStatus(404))),
	),
	faults(breaks("LIST-6"), may("LIST-8"))(
		fault("filter-escaped-refused", "A filter with an escaped letter is refused, which some clients send.",
			refuseFilter(400, func(c *Call) bool { return strings.Contains(c.Request.URL.RawQuery, "%") })),
		fault("filter-without-result-404",
			"A filter that finds nothing looks like a wrong address, in a store with other animals.",
			func(b *Behaviour) {
				Populated(10, func(i int) spec.NewPet {
					return spec.NewPet{Name: PlainSeed(i).Name, CategoryID: 1, Status: spec.Available}
				})(b)
				EmptyList.And(Filtered).Then(WithStatus(404))(b)
			}, needs(Animals)),
	),
	faults(breaks("LIST-3"), may("LIST-6"))(
		fault("limit-beyond-49-refused", "A limit from 50 to 99 is refused.",
			refuseLimit(func(n int) bool { return n >= 50 && n < spec.MaxLimit })),
		fault("limit-below-10-refused", "A limit from 2 to 9 is refused.",
			refuseLimit(func(n int) bool { return n > spec.MinLimit && n < 10 }), needs(Full)),
	),
	faults(breaks("LIST-11"), may("LIST-8"))(
		fault("limit-below-100-lists-20", "A limit from 21 to 99 lists 20 animals.", func(b *Behaviour) {
			b.ListOrder = store.NewestFirst
			takeLimit(func(n int) int {
				if n < spec.MaxLimit {
					n = min(n, spec.DefaultLimit)
				}
				return n
			})(b)
		}, needs(Full)),
	),
	faults(breaks("CREATE-3"), may("CREATE-13"))(
		fault("name-variation-selectors-removed", "A coloured symbol in a name becomes a plain one.",
			StoredName(replacing("\ufe0f", ""))),
		fault("name-leading-zeros-lost", "A name of digits is stored as a number.",
			StoredName(func(name string) string { return leadingZeros.ReplaceAllString(name, "$1") })),
	),
	faults(breaks("CREATE-10"))(
		fault("status-member-of-object-accepted",
			"constructor is accepted as a status, since every object of JavaScript has it.",
			laxStatus(func(v strictjson.Value) (spec.PetStatus, bool) {
				return spec.Available, v.Kind == strictjson.String && v.Text == "constructor"
			})),
		fault("status-line-break-accepted", "A line break behind a status is ignored.",
			laxStatus(statusText(func(s string) string { return strings.TrimSuffix(s, "\n") })), needs(Full)),
		fault("status-adopted-accepted", "A status of an older release is taken for sold.",
			laxStatus(statusText(func(s string) string { return strings.Replace(s, "adopted", string(spec.Sold), 1) })),
			needs(Full)),
	),
	faults(breaks("CREATE-11"), needs(Full))(
		fault("body-tab-accepted", "A tab in a text need not be escaped.",
			Repair(func(body []byte) []byte { return []byte(strings.ReplaceAll(string(body), "\t", " ")) })),
	),
)

var leadingZeros = regexp.MustCompile(`^0+(\d+)$`)

func upTo(mark string) func(secret, token string) bool {
	return func(secret, token string) bool {
		first, _, _ := strings.Cut(token, mark)
		return first == secret
	}
}

// position finds an animal by its place among the animals where no animal has the id.
func position(of func(id int64, n int) int64) Change {
	return Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
		all := c.Service.Store.List(store.Query{})
		if i := of(c.ID, len(all)); !found && i >= 0 && i < int64(len(all)) {
			return all[i], true
		}
		return pet, found
	})
}
