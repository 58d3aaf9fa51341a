package deviations

import (
	"fmt"
	"mime"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

var errorBodyRows = slices.Concat(
	faults(breaks("ERROR-2"))(
		fault("error-without-code", failing(Edited(Without("code")))),
		fault("error-without-message", failing(Edited(Without("message")))),
		fault("error-without-status", failing(Edited(Without("status")))),
		fault("error-without-code-on-401", failing(Edited(Without("code")), 401)),
		fault("error-without-status-on-404", failing(Edited(Without("status")), 404)),
		fault("error-without-message-on-400", failing(Edited(Without("message")), 400)),
		fault("error-code-number", failing(Edited(Valued("code", "4711")))),
		fault("error-code-null", failing(Edited(Valued("code", "null")), 401, 404)),
		fault("error-message-null", failing(Edited(Valued("message", "null")), 404)),
		fault("error-message-list", failing(Edited(Valued("message", `["name must be a string"]`)), 400)),
		fault("error-status-text", failing(Edited(Changed("status", strconv.Quote)))),
		fault("error-status-null", failing(Edited(Valued("status", "null")), 401)),
		fault("error-status-called-statuscode", failing(Edited(Renamed("status", "statusCode")))),
		fault("error-capitalised", failing(Edited(Both(Renamed("code", "Code"),
			Both(Renamed("message", "Message"), Renamed("status", "Status")))))),
	),
	faults(breaks("ERROR-3"))(
		fault("error-status-always-400", failing(Edited(Valued("status", "400")))),
		fault("error-status-always-500", failing(Edited(Valued("status", "500")))),
		fault("error-status-of-application", failing(Edited(Changed("status", Within("", "01"))), 400, 401)),
		fault("error-status-200-on-404", failing(Edited(Valued("status", "200")), 404)),
	),
	// These are the errors of frameworks and gateways in place of the service's own.
	faults(breaks("ERROR-2"))(
		fault("error-of-fastapi", failing(Saying(`{"detail":[{"loc":["body","name"],"msg":"Field required","type":"missing"}]}`), 400)),
		fault("error-of-django", failing(Saying(`{"detail":"Not found."}`), 404)),
		fault("error-of-spring", failing(Edited(Both(Both(Without("code"), Without("message")), Adding(Pair("timestamp", `"2026-03-01T12:00:00Z"`),
			Pair("error", `"Error"`), Pair("path", `"/v1/pets"`)))), 400, 404)),
		fault("error-of-gateway", failing(Saying(`{"message":"Unauthorized"}`), 401)),
		fault("error-problem-members", failing(Edited(Both(Renamed("message", "detail"),
			Both(Renamed("code", "title"), Adding(Pair("type", `"about:blank"`))))))),
		fault("error-wrapped", failing(Surrounded(`{"error":`, `}`))),
		fault("error-empty-object", failing(Saying("{}"), 404)),
	),
	faults(breaks("ERROR-2"))(
		fault("error-in-array", failing(Surrounded("[", "]"))),
		fault("error-as-string", failing(Rewritten(asString))),
		fault("error-only-message", failing(Saying(`"The request is refused."`), 400, 404)),
		fault("error-null", failing(Saying("null"), 404)),
		fault("error-empty-on-400", failing(Saying(""), 400)),
		fault("error-twice", failing(Rewritten(twice), 404)),
		fault("error-cut-short", failing(Rewritten(withoutLastByte))),
		fault("error-latin1", failing(Substituted(`"message":"`, "\"message\":\"F\xfcr "), 404)),
	),
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

// failing changes the error responses that have one of the statuses; with none, all of them.
func failing(change func(*Call, *Answer), statuses ...int) Change {
	if len(statuses) == 0 {
		return Failed.Then(change)
	}
	return Failed.And(Having(statuses...)).Then(change)
}

var errorMediaRows = slices.Concat(
	faults(breaks("ERROR-1"))(
		fault("error-page", failing(page)),
		fault("error-page-on-401", failing(page, 401)),
		fault("error-page-on-400", failing(page, 400)),
		fault("error-page-on-404", failing(page, 404)),
		fault("error-page-on-415", failing(page, 415)),
		fault("error-declared-text", failing(Declared(textType))),
		fault("error-declared-text-on-404", failing(Declared(textType), 404)),
		fault("error-declared-html-on-400", failing(Declared(htmlType), 400)),
		fault("error-declared-problem", failing(Declared(problemType))),
		fault("error-declared-nothing", failing(Declared(""))),
		fault("error-declared-nothing-on-401", failing(Declared(""), 401)),
		fault("error-declared-text-json-on-create", Failed.And(On(spec.CreatePet)).Then(Declared("text/json"))),
	),
	faults(breaks("ERROR-2"))(
		fault("error-bodiless-on-401", failing(bodiless, 401)),
		fault("error-bodiless-on-404", failing(bodiless, 404)),
		fault("error-bodiless-on-415", failing(bodiless, 415)),
	),
	faults(breaks("ERROR-1", "ERROR-2"))(
		fault("error-problem", failing(problem)),
		fault("error-problem-on-400", failing(problem, 400)),
	),
)

// gateway answers createPet with a valid key in the service's place.
func gateway(is func(c *Call) bool, change func(*Call, *Answer)) Change {
	return On(spec.CreatePet).And(Calls(func(c *Call) bool { return c.Account != nil && is(c) })).Then(change)
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

// as sets the status, and what writes the body of such an answer.
func as(status int, body func(*Call, *Answer)) func(*Call, *Answer) {
	return func(c *Call, a *Answer) {
		a.Status = status
		body(c, a)
	}
}

// gatewayRows are answers by a gateway in front of the service, which are still error responses of an operation.
var gatewayRows = slices.Concat(
	faults(breaks("ERROR-1"))(
		fault("gateway-413-page-beyond-16-kb", gateway(larger(16<<10), as(413, page))),
		fault("gateway-413-page-beyond-100-kb", gateway(larger(100<<10), as(413, page))),
		fault("gateway-413-text", gateway(larger(64<<10), Replaced(413, textType, "Payload Too Large"))),
		fault("gateway-415-text", gateway(unusualType, Replaced(415, textType, "Unsupported Media Type"))),
		fault("gateway-415-page", gateway(unusualType, as(415, page))),
	),
	faults(breaks("ERROR-2"))(
		fault("gateway-413-bodiless", gateway(larger(64<<10), as(413, bodiless))),
		fault("gateway-415-bodiless", gateway(unusualType, as(415, bodiless))),
		fault("gateway-413-words", gateway(larger(64<<10), Replaced(413, MediaJSON, `{"error":"request entity too large"}`))),
		fault("gateway-415-words", gateway(unusualType, Replaced(415, MediaJSON, `{"error":"unsupported media type"}`))),
	),
)
