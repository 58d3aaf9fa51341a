package deviations

import (
	"fmt"
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
	t.fault("pet-id-fraction", "PET-1", Shown.Member("id", func(value string) string { return value + ".0" }))
	t.fault("pet-only-id-on-201", "PET-2 PET-3 CREATE-2? CREATE-3?",
		Created.Edit(Without("name"), Without("categoryId"), Without("status")))
	t.fault("category-0-left-out", "PET-3 CREATE-13? LIST-10? GET-2?", Shown.Edit(Without("categoryId", "0")))
	t.fault("pet-status-null-on-list", "PET-4", Lists.Edit(Default("status", "null")))
	t.fault("pet-status-empty-when-omitted", "PET-4", Shown.Edit(Default("status", `""`)))
	t.fault("pet-status-capitals", "PET-4 CREATE-3? CREATE-13? LIST-7? LIST-8? LIST-10?",
		Shown.Member("status", strings.ToUpper))
}

const (
	htmlType = "text/html; charset=utf-8"
	textType = "text/plain; charset=utf-8"
)

// page, problem and bodiless replace an error response by what a proxy, a validator or a router writes.
func page(c *Call, a *Answer) {
	const html = "<html><head><title>%d</title></head><body><h1>Error %d</h1></body></html>\n"
	Replaced(a.Status, htmlType, fmt.Sprintf(html, a.Status, a.Status))(c, a)
}

func problem(c *Call, a *Answer) {
	const object = `{"type":"about:blank","title":"Error","status":%d}`
	Replaced(a.Status, "application/problem+json", fmt.Sprintf(object, a.Status))(c, a)
}

func bodiless(_ *Call, a *Answer) { a.MediaType, a.Body = "", nil }

// fails answers 500 with an HTML page.
func fails(w When) Change { return w.Then(Answering(500), page) }

// gateway answers createPet with a valid key in the service's place.
func gateway(is ...When) When { return OnCreate.And(Keyed).And(is...) }

// memberFaults are ways to write a member wrongly.
func (t *table) memberFaults(name, broken string, w When, member string) {
	t.fault(name+"-missing", broken, w.Edit(Without(member)))
	t.fault(name+"-null", broken, w.Member(member, Constant("null")))
}

// unusual is a media type that is neither JSON nor text.
var unusual = HeaderLike("Content-Type", "^application/[^j]")

func errorRows(t *table) {
	t.memberFaults("error-code", "ERROR-2", Failed, "code")
	t.memberFaults("error-message", "ERROR-2", Failed, "message")
	t.memberFaults("error-status", "ERROR-2", Failed, "status")
	t.fault("error-status-always-500", "ERROR-3", Failed.Member("status", Constant("500")))
	t.fault("error-page", "ERROR-1", Failed.Then(page))
	t.fault("error-problem", "ERROR-1 ERROR-2", Failed.Then(problem))
	t.fault("gateway-413-page-beyond-16-kb", "ERROR-1", gateway(larger(16<<10)).Then(Answering(413), page))
	t.fault("gateway-415-text", "ERROR-1", gateway(unusual).Then(Replaced(415, textType, "Unsupported Media Type")))
	t.fault("error-bodiless-on-401", "ERROR-2", Failed.Of(401).Then(bodiless))
	t.fault("error-page-on-400", "ERROR-1", Failed.Of(400).Then(page))
	t.fault("rate-none-on-404", "RATE-1", Failed.Of(404).Then(noRate))
}

// onEach makes a row for each operation, whose name ends in that of the operation.
func (t *table) onEach(name, broken string, ops []spec.Operation, change func(on When) Change) {
	names := map[spec.Operation]string{
		spec.ListPets: "list", spec.CreatePet: "create", spec.GetPet: "get", spec.StoreOrders: "orders",
	}
	for _, op := range ops {
		t.fault(name+names[op], broken, change(On(op)))
	}
}
