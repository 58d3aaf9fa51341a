package deviations

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

func latin1(body []byte) []byte {
	out, _ := encoding.ReplaceUnsupported(charmap.ISO8859_1.NewEncoder()).Bytes(body)
	return out
}

var mediaRows = []Deviation{
	fault("media-html-on-create", "SERVICE-1", Created.Then(Declared(htmlType))),
	fault("media-none-on-get", "SERVICE-1", Fetched.Then(Declared(""))),
	fault("media-bytes-on-list", "SERVICE-1", Lists.Then(Declared("application/octet-stream"))),
	fault("media-text-when-empty", "SERVICE-1", EmptyList.Then(Declared(textType))),
	fault("json-footer-behind", "SERVICE-2", Lists.Then(Surrounded("", "\n<!-- 4 ms -->"))),
	fault("json-twice", "SERVICE-2", Fetched.Then(Rewritten(twice))),
	fault("json-lines", "SERVICE-2 LIST-2?", Lists.Then(Rewritten(func(body []byte) []byte {
		return bytes.ReplaceAll(bytes.Trim(body, "[]"), []byte("},{"), []byte("}\n{"))
	}))),
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
			if !w(c, &a) || len(a.Body) < 2 {
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
	fault("closed-on-empty-body", "SERVICE-3 CREATE-11?",
		gateway(func(c *Call) bool { return len(c.Body) == 0 }, Abort)),
	fault("closed-on-broken-json", "SERVICE-3 CREATE-11?",
		On(spec.CreatePet).And(Having(400)).If(bodied("^[^{]")).Then(Abort)),
	fault("closed-on-emoji", "SERVICE-3 CREATE-1? CREATE-13?", On(spec.CreatePet).If(named(emoji)).Then(Abort)),
	fault("closed-on-unknown-animal", "SERVICE-3 GET-3?", On(spec.GetPet).And(Having(404)).Then(Abort)),
	fault("closed-on-limit-100", "SERVICE-3 LIST-3?", On(spec.ListPets).If(limited(100)).Then(Abort)),
	fault("gzip-in-name-only", "SERVICE-3 SERVICE-2?",
		Lists.Then(func(c *Call, _ *Answer) { c.Header.Set("Content-Encoding", "gzip") })),
	fault("cut-short-on-list", "SERVICE-3", cutShort(Lists)),
	fault("cut-short-on-create", "SERVICE-3", cutShort(Created)),
}

// missingOnEach is a missing member of a Pet in the answers of one operation.
func missingOnEach(name, broken, member string) []Deviation {
	return onEach(spec.Operations()[:3], func(on string, op spec.Operation) Deviation {
		return fault(name+"-missing-on-"+on, broken, On(op).And(Succeeded).Edit(Without(member)))
	})
}

// statusElsewise are the requirements that a status written otherwise breaks, and may break too.
const statusElsewise = "PET-4 CREATE-3? CREATE-13? LIST-7? LIST-8? LIST-10?"

var petRows = slices.Concat(
	numberFaults("pet-id", "PET-1", Shown, "id"), missingOnEach("pet-id", "PET-1", "id"),
	memberFaults("pet-name", "PET-2", Shown, "name"), missingOnEach("pet-name", "PET-2", "name"),
	numberFaults("pet-categoryid", "PET-3", Shown, "categoryId"), missingOnEach("pet-categoryid", "PET-3", "categoryId"),
	[]Deviation{
		fault("pet-id-unsigned", "PET-1",
			Shown.Member("id", func(id string) string { return strconv.FormatUint(uint64(WholeOf(id))|1<<63, 10) })),
		fault("pet-category-text-when-large", "PET-3 CREATE-3? CREATE-13? LIST-10?",
			Shown.Member("categoryId", func(value string) string {
				if n := WholeOf(value); n > 1<<53 || n < -1<<53 {
					return strconv.Quote(value)
				}
				return value
			})),
		fault("pet-only-id-on-201", "PET-2 PET-3 CREATE-2? CREATE-3?", Created.Edit(
			func(fields []Field) []Field { return fields[:1] })),
		fault("category-0-left-out", "PET-3 CREATE-13? LIST-10? GET-2?", Shown.Edit(func(fields []Field) []Field {
			return slices.DeleteFunc(fields, func(f Field) bool { return f == Field{Name: "categoryId", Value: "0"} })
		})),
		fault("pet-status-null-on-list", "PET-4", Lists.Edit(Default("status", "null"))),
		fault("pet-status-empty-when-omitted", "PET-4", Shown.Edit(Default("status", `""`))),
		fault("pet-status-capitals", statusElsewise, Shown.Member("status", strings.ToUpper)),
		fault("pet-status-adopted", statusElsewise, Shown.Member("status", Instead(`"sold"`, `"adopted"`))),
		fault("pet-status-object-on-get", "PET-4 CREATE-13?", Fetched.Member("status", Within(`{"value":`, `}`))),
	},
)
