package deviations

import (
	"strconv"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

func mediaRows(t *table) {
	t.fault("media-html-on-create", "SERVICE-1", Created.Then(Declared(htmlType)))
	t.fault("media-bytes-on-list", "SERVICE-1", Lists.Then(Declared("application/octet-stream")))
	t.fault("json-footer-behind", "SERVICE-2", Shown.Then(Surrounded("", "\n<!-- 4 ms -->")))
	t.fault("json-names-unescaped", "SERVICE-2", Shown.Then(Substituted(`\"`, `"`)))
	t.fault("json-backslash-unescaped", "SERVICE-2 CREATE-3?", Shown.Then(Substituted(`\\`, `\`)))
}

// cutShort announces the whole body, sends half of it and closes the connection.
func cutShort(c *Call, a *Answer) {
	c.SetHeader("Content-Length", strconv.Itoa(len(a.Body)))
	WriteHalf(c, *a)
	Abort(c, a)
}

// connectionRows close the connection, and send half of an answer or another than they declare. A run may also report
// what the missing answers were to prove.
func connectionRows(t *table) {
	t.fault("closed-now-and-then", "SERVICE-3", OfOperations.And(Every(11)).Then(Abort))
	t.fault("closed-on-unknown-animal", "SERVICE-3 GET-3?", OnGet.Of(404).Then(Abort))
	t.fault("closed-on-limit-100", "SERVICE-3 LIST-3?", OnList.And(limit(equal(spec.MaxLimit))).Then(Abort))
	t.fault("gzip-in-name-only", "SERVICE-3 SERVICE-2?", Lists.Then(Header("Content-Encoding", "gzip")))
	t.fault("cut-short-on-list", "SERVICE-3", Lists.Then(cutShort))
}

func petRows(t *table) {
	t.memberFaults("pet-id", "PET-1", Shown, "id")
	t.memberFaults("pet-name", "PET-2", Shown, "name")
	t.memberFaults("pet-categoryid", "PET-3", Shown, "categoryId")
	t.onEach("pet-id-missing-on-", "PET-1", spec.Operations()[:3], func(on When) Change {
		return on.And(Succeeded).Edit(Without("id"))
	})
	t.fault("pet-id-text", "PET-1", Shown.Member("id", strconv.Quote))
	t.fault("pet-id-fraction", "PET-1", Shown.Member("id", Within("", ".0")))
	t.fault("pet-only-id-on-201", "PET-2 PET-3 CREATE-2? CREATE-3?",
		Created.Edit(Without("name"), Without("categoryId"), Without("status")))
	t.fault("category-0-left-out", "PET-3 CREATE-13? LIST-10? GET-2?", Shown.Edit(Without("categoryId", "0")))
	t.fault("pet-status-null-on-list", "PET-4", Lists.Edit(Default("status", "null")))
	t.fault("pet-status-empty-when-omitted", "PET-4", Shown.Edit(Default("status", `""`)))
	t.fault("pet-status-capitals", "PET-4 CREATE-3? CREATE-13? LIST-7? LIST-8? LIST-10?",
		Shown.Member("status", strings.ToUpper))
}
