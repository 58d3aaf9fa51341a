package deviations

import (
	"fmt"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

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
var unusual = header("Content-Type", "^application/[^j]")

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
