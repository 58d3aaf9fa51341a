package deviations

import (
	"fmt"
	"mime"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

const (
	htmlType    = "text/html; charset=utf-8"
	textType    = "text/plain; charset=utf-8"
	problemType = "application/problem+json"
)

// page, problem and bodiless replace an error response by what a proxy, a validator or a router writes.
func page(c *Call, a *Answer) {
	const html = "<html><head><title>%d</title></head><body><h1>Error %d</h1></body></html>\n"
	Replaced(a.Status, htmlType, fmt.Sprintf(html, a.Status, a.Status))(c, a)
}

func problem(c *Call, a *Answer) {
	Replaced(a.Status, problemType, `{"type":"about:blank","title":"Error","status":`+strconv.Itoa(a.Status)+`}`)(c, a)
}

func bodiless(_ *Call, a *Answer) { a.MediaType, a.Body = "", nil }

// failing selects the error responses with a status.
func failing(status int) When { return Failed.And(Having(status)) }

// fails answers 500 with an HTML page.
func fails(is func(c *Call) bool) Change { return OfOperations.If(is).Then(Answering(500), page) }

// failOn is fails for the bytes of a body.
func failOn(is func(body []byte) bool) Change {
	return On(spec.CreatePet).If(func(c *Call) bool { return c.Account != nil && is(c.Body) }).Then(Answering(500), page)
}

// gateway answers createPet with a valid key in the service's place.
func gateway(is func(c *Call) bool, changes ...func(*Call, *Answer)) Change {
	return On(spec.CreatePet).If(func(c *Call) bool { return c.Account != nil && is(c) }).Then(changes...)
}

// larger selects bodies of more than so many bytes.
func larger(bytes int64) func(c *Call) bool {
	return func(c *Call) bool { return c.Request.ContentLength > bytes }
}

// unusualType selects bodies of a media type that is neither JSON nor text.
func unusualType(c *Call) bool {
	media, _, _ := mime.ParseMediaType(c.Request.Header.Get("Content-Type"))
	return media != "" && media != MediaJSON && !strings.HasPrefix(media, "text/")
}

func twice(body []byte) []byte { return slices.Concat(body, body) }

func asString(body []byte) []byte { return []byte(Quoted(string(body))) }

// memberFaults are ways to write a member wrongly, and numberFaults those of a number.
func memberFaults(name, broken string, w When, member string) []Deviation {
	return []Deviation{
		fault(name+"-missing", broken, w.Edit(Without(member))),
		fault(name+"-null", broken, w.Member(member, Constant("null"))),
	}
}

func numberFaults(name, broken string, w When, member string) []Deviation {
	return append(memberFaults(name, broken, w, member),
		fault(name+"-text", broken, w.Member(member, strconv.Quote)),
		fault(name+"-fraction", broken, w.Member(member, Within("", ".0"))))
}

// notASCII reports whether a request has a character beyond ASCII in its address.
func notASCII(c *Call) bool {
	query, _ := url.QueryUnescape(c.Request.URL.RawQuery)
	return like(foreign)(c.Request.URL.Path + query)
}

var errorRows = slices.Concat(
	memberFaults("error-code", "ERROR-2", Failed, "code"),
	memberFaults("error-message", "ERROR-2", Failed, "message"),
	memberFaults("error-status", "ERROR-2", Failed, "status"),
	[]Deviation{
		fault("error-status-text", "ERROR-2", Failed.Member("status", strconv.Quote)),
		fault("error-status-always-400", "ERROR-3", Failed.Member("status", Constant("400"))),
		fault("error-status-always-500", "ERROR-3", Failed.Member("status", Constant("500"))),
		fault("error-status-200-on-404", "ERROR-3", failing(404).Member("status", Constant("200"))),
		// These are the errors of frameworks and gateways in place of the service's own.
		fault("error-of-fastapi", "ERROR-2",
			failing(400).Then(Saying(`{"detail":[{"loc":["body","name"],"msg":"Field required","type":"missing"}]}`))),
		fault("error-of-django", "ERROR-2", failing(404).Then(Saying(`{"detail":"Not found."}`))),
		fault("error-of-gateway", "ERROR-2", failing(401).Then(Saying(`{"message":"Unauthorized"}`))),
		fault("error-capitalised", "ERROR-2", Failed.Then(Substituted(`"code":`, `"Code":`),
			Substituted(`"message":`, `"Message":`), Substituted(`"status":`, `"Status":`))),
		fault("error-wrapped", "ERROR-2", Failed.Then(Surrounded(`{"error":`, `}`))),
		fault("error-as-string", "ERROR-2", Failed.Then(Rewritten(asString))),
		fault("error-cut-short", "ERROR-2", Failed.Then(Rewritten(func(body []byte) []byte { return body[:len(body)-1] }))),
		fault("error-quotes-in-latin1", "ERROR-2",
			Failed.If(notASCII).Then(Substituted(`"message":"`, "\"message\":\"\xfc "))),
		fault("error-bodiless-on-401", "ERROR-2", failing(401).Then(bodiless)),
		fault("error-bodiless-on-404", "ERROR-2", failing(404).Then(bodiless)),
		fault("error-bodiless-on-415", "ERROR-2", failing(415).Then(bodiless)),
		fault("error-page", "ERROR-1", Failed.Then(page)),
		fault("error-page-on-400", "ERROR-1", failing(400).Then(page)),
		fault("error-page-on-401", "ERROR-1", failing(401).Then(page)),
		fault("error-page-on-404", "ERROR-1", failing(404).Then(page)),
		fault("error-declared-text", "ERROR-1", Failed.Then(Declared(textType))),
		fault("error-declared-nothing", "ERROR-1", Failed.Then(Declared(""))),
		fault("error-declared-problem", "ERROR-1", Failed.Then(Declared(problemType))),
		fault("error-problem", "ERROR-1 ERROR-2", Failed.Then(problem)),
		fault("gateway-413-page-beyond-16-kb", "ERROR-1", gateway(larger(16<<10), Answering(413), page)),
		fault("gateway-413-bodiless", "ERROR-2", gateway(larger(64<<10), Answering(413), bodiless)),
		fault("gateway-415-text", "ERROR-1", gateway(unusualType, Replaced(415, textType, "Unsupported Media Type"))),
		fault("limit-twice-fails", "ERROR-1 ERROR-7?",
			fails(func(c *Call) bool { return len(c.Request.URL.Query()["limit"]) > 1 })),
		fault("petid-of-300-digits-fails", "ERROR-1 ERROR-7?", fails(func(c *Call) bool { return len(c.PetID) >= 300 })),
	},
)
