package deviations

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

var mediaRows = []Deviation{
	fault("media-html-on-create", "SERVICE-1", Created.Then(Declared(htmlType))),
	fault("media-none-on-get", "SERVICE-1", Fetched.Then(Declared(""))),
	fault("media-bytes-on-list", "SERVICE-1", Lists.Then(Declared("application/octet-stream"))),
	fault("media-text-when-empty", "SERVICE-1", EmptyList.Then(Declared(textType))),
	fault("json-footer-behind", "SERVICE-2", Lists.Then(Surrounded("", "\n<!-- 4 ms -->"))),
	fault("json-twice", "SERVICE-2", Fetched.Then(Rewritten(twice))),
	fault("json-lines", "SERVICE-2 LIST-2?", Lists.Then(Rewritten(inLines))),
	fault("json-single-quotes", "SERVICE-2", Shown.Then(Substituted(`"`, `'`))),
	fault("json-latin1", "SERVICE-2 CREATE-3? LIST-10? CREATE-13? GET-2?", Shown.Then(Rewritten(latin1))),
	fault("json-names-unescaped", "SERVICE-2", Shown.Then(Substituted(`\"`, `"`))),
	fault("json-newline-unescaped", "SERVICE-2 LIST-2?", Shown.Then(Substituted(`\n`, "\n"))),
	fault("json-backslash-unescaped", "SERVICE-2 CREATE-3?", Shown.Then(Substituted(`\\`, `\`))),
}

// cutShort announces the whole body and sends half of it.
func cutShort(w When) Change {
	return func(b *Behaviour) {
		write := b.Write
		b.Write = func(c *Call, a Answer) {
			if c.Answer = &a; !w(c) || len(a.Body) < 2 {
				write(c, a)
				return
			}
			c.SetHeader("Content-Length", strconv.Itoa(len(a.Body)))
			WriteHead(c, a)
			_, _ = c.Writer.Write(a.Body[:len(a.Body)/2])
			// net/http drops what is not flushed when the handler aborts.
			_ = http.NewResponseController(c.Writer).Flush()
			panic(http.ErrAbortHandler)
		}
	}
}

// connectionRows close the connection, and send half of an answer or another than they declare. A run may also report
// what the missing answers were to prove.
var connectionRows = []Deviation{
	fault("closed-now-and-then", "SERVICE-3", OfOperations.And(Every(11)).Then(Abort)),
	fault("closed-on-empty-body", "SERVICE-3 CREATE-11?", gateway(bodied("^$")).Then(Abort)),
	fault("closed-on-broken-json", "SERVICE-3 CREATE-11?", OnCreate.Of(400).And(bodied("^[^{]")).Then(Abort)),
	fault("closed-on-emoji", "SERVICE-3 CREATE-1? CREATE-13?", OnCreate.And(named(emoji)).Then(Abort)),
	fault("closed-on-unknown-animal", "SERVICE-3 GET-3?", OnGet.Of(404).Then(Abort)),
	fault("closed-on-limit-100", "SERVICE-3 LIST-3?", OnList.And(limit(equal(spec.MaxLimit))).Then(Abort)),
	fault("gzip-in-name-only", "SERVICE-3 SERVICE-2?", Lists.Then(Header("Content-Encoding", "gzip"))),
	fault("cut-short-on-list", "SERVICE-3", cutShort(Lists)),
	fault("cut-short-on-create", "SERVICE-3", cutShort(Created)),
}

// missingOnEach is a missing member of a Pet in the answers of one operation.
func missingOnEach(name, broken, member string) []Deviation {
	return onEach(name+"-missing-on-", broken, spec.Operations()[:3], func(on When) Change {
		return on.And(Succeeded).Edit(Without(member))
	})
}

// statusElsewise are the requirements that a status written otherwise breaks, and may break too.
const statusElsewise = "PET-4 CREATE-3? CREATE-13? LIST-7? LIST-8? LIST-10?"

func unsigned(id string) string { return strconv.FormatUint(uint64(WholeOf(id))|1<<63, 10) }

func textWhenLarge(value string) string {
	if beyondFloat(WholeOf(value)) {
		return strconv.Quote(value)
	}
	return value
}

var petRows = slices.Concat(
	numberFaults("pet-id", "PET-1", Shown, "id"), missingOnEach("pet-id", "PET-1", "id"),
	memberFaults("pet-name", "PET-2", Shown, "name"), missingOnEach("pet-name", "PET-2", "name"),
	numberFaults("pet-categoryid", "PET-3", Shown, "categoryId"), missingOnEach("pet-categoryid", "PET-3", "categoryId"),
	[]Deviation{
		fault("pet-id-unsigned", "PET-1", Shown.Member("id", unsigned)),
		fault("pet-category-text-when-large", "PET-3 CREATE-3? CREATE-13? LIST-10?", Shown.Member("categoryId", textWhenLarge)),
		fault("pet-only-id-on-201", "PET-2 PET-3 CREATE-2? CREATE-3?",
			Created.Edit(Without("name"), Without("categoryId"), Without("status"))),
		fault("category-0-left-out", "PET-3 CREATE-13? LIST-10? GET-2?", Shown.Edit(Without("categoryId", "0"))),
		fault("pet-status-null-on-list", "PET-4", Lists.Edit(Default("status", "null"))),
		fault("pet-status-empty-when-omitted", "PET-4", Shown.Edit(Default("status", `""`))),
		fault("pet-status-capitals", statusElsewise, Shown.Member("status", strings.ToUpper)),
		fault("pet-status-adopted", statusElsewise, Shown.Member("status", Instead(`"sold"`, `"adopted"`))),
		fault("pet-status-object-on-get", "PET-4 CREATE-13?", Fetched.Member("status", Within(`{"value":`, `}`))),
	},
)
