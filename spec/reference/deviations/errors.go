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
		fault("error-without-code", "A program cannot tell errors apart.", failing(Edited(Without("code")))),
		fault("error-without-message", "A user reads an empty line.", failing(Edited(Without("message")))),
		fault("error-without-status", "A queue that keeps only bodies loses the kind of the error.",
			failing(Edited(Without("status")))),
		fault("error-without-code-on-401", "The gateway that checks keys writes an Error without a code.",
			failing(Edited(Without("code")), 401)),
		fault("error-without-status-on-404", "A typed client fails to decode the Error of a missing animal.",
			failing(Edited(Without("status")), 404)),
		fault("error-without-message-on-400", "A developer does not learn which member was wrong.",
			failing(Edited(Without("message")), 400)),
		fault("error-code-number", "A client that expects a string fails on the Error itself.",
			failing(Edited(Valued("code", "4711")))),
		fault("error-code-null", "A client that expects a string reads null.",
			failing(Edited(Valued("code", "null")), 401, 404)),
		fault("error-message-null", "A client that expects a string reads null.",
			failing(Edited(Valued("message", "null")), 404)),
		fault("error-message-list", "A client that expects one string reads a list.",
			failing(Edited(Valued("message", `["name must be a string"]`)), 400)),
		fault("error-status-text", "The status is a string, which equals no number.",
			failing(Edited(Changed("status", strconv.Quote)))),
		fault("error-status-null", "A client that expects a number reads null.",
			failing(Edited(Valued("status", "null")), 401)),
		fault("error-status-called-statuscode", "The member has the name that another framework gives it.",
			failing(Edited(Renamed("status", "statusCode")))),
		fault("error-capitalised", "The members are named after the fields of a struct: Code, Message, Status.",
			failing(Edited(Both(Renamed("code", "Code"),
				Both(Renamed("message", "Message"), Renamed("status", "Status")))))),
	),
	faults(breaks("ERROR-3"))(
		fault("error-status-always-400", "Every error looks like a bad request.",
			failing(Edited(Valued("status", "400")))),
		fault("error-status-always-500", "Every error looks like a server error and is retried.",
			failing(Edited(Valued("status", "500")))),
		fault("error-status-of-application", "A number of the application stands in place of the HTTP status.",
			failing(Edited(Changed("status", Within("", "01"))), 400, 401)),
		fault("error-status-200-on-404", "The body of a 404 says that the request succeeded.",
			failing(Edited(Valued("status", "200")), 404)),
	),
	// These are the errors of frameworks and gateways in place of the service's own.
	faults(breaks("ERROR-2"))(
		fault("error-of-fastapi", "The errors of a validator stand under detail.",
			failing(Saying(`{"detail":[{"loc":["body","name"],"msg":"Field required","type":"missing"}]}`), 400)),
		fault("error-of-django", "The 404 has only the member detail.",
			failing(Saying(`{"detail":"Not found."}`), 404)),
		fault("error-of-spring", "The body has the framework's members, without code and message.",
			failing(Edited(Both(Both(Without("code"), Without("message")), Adding(Pair("timestamp", `"2026-03-01T12:00:00Z"`),
				Pair("error", `"Error"`), Pair("path", `"/v1/pets"`)))), 400, 404)),
		fault("error-of-gateway", "The gateway refuses keys with a body of its own.",
			failing(Saying(`{"message":"Unauthorized"}`), 401)),
		fault("error-problem-members", "The members are those of problem details (RFC 9457).",
			failing(Edited(Both(Renamed("message", "detail"),
				Both(Renamed("code", "title"), Adding(Pair("type", `"about:blank"`))))))),
		fault("error-wrapped", "The Error is nested in the member error.", failing(Surrounded(`{"error":`, `}`))),
		fault("error-empty-object", "The Error has no members.", failing(Saying("{}"), 404)),
	),
	faults(breaks("ERROR-2"))(
		fault("error-in-array", "The Error is an element of an array.", failing(Surrounded("[", "]"))),
		fault("error-as-string", "The Error is encoded twice: a string that holds JSON.", failing(Rewritten(asString))),
		fault("error-only-message", "The body is the message alone.",
			failing(Saying(`"The request is refused."`), 400, 404)),
		fault("error-null", "The body of a 404 is null.", failing(Saying("null"), 404)),
		fault("error-empty-on-400", "The body of a 400 is empty, so a developer does not learn what was wrong.",
			failing(Saying(""), 400)),
		fault("error-twice", "Two handlers write an Error each.", failing(Rewritten(twice), 404)),
		fault("error-cut-short", "The last byte is missing, so the Error cannot be decoded.",
			failing(Rewritten(withoutLastByte))),
		fault("error-latin1", "The message is not UTF-8, which breaks strict decoders.",
			failing(Substituted(`"message":"`, "\"message\":\"F\xfcr "), 404)),
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
		fault("error-page", "Errors are HTML pages, which a client cannot decode.", failing(page)),
		fault("error-page-on-401", "The proxy refuses keys with an HTML page.", failing(page, 401)),
		fault("error-page-on-400", "The parser refuses bodies with an HTML page.", failing(page, 400)),
		fault("error-page-on-404", "A missing animal is answered with the router's default page.", failing(page, 404)),
		fault("error-page-on-415", "Another media type is refused with the framework's HTML page.", failing(page, 415)),
		fault("error-declared-text", "A client that goes by the media type does not decode the Error.",
			failing(Declared(textType))),
		fault("error-declared-text-on-404", "A client that goes by the media type does not decode the Error of a 404.",
			failing(Declared(textType), 404)),
		fault("error-declared-html-on-400", "A client that goes by the media type does not decode the Error of a 400.",
			failing(Declared(htmlType), 400)),
		fault("error-declared-problem", "The Error is declared as problem details.", failing(Declared(problemType))),
		fault("error-declared-nothing", "A client must guess the media type of an Error.", failing(Declared(""))),
		fault("error-declared-nothing-on-401", "A client must guess the media type of a 401.",
			failing(Declared(""), 401)),
		fault("error-declared-text-json-on-create",
			"The Error is declared as text/json, which clients do not recognise.",
			Failed.And(On(spec.CreatePet)).Then(Declared("text/json"))),
	),
	faults(breaks("ERROR-2"))(
		fault("error-bodiless-on-401", "A 401 has a status line and no body.", failing(bodiless, 401)),
		fault("error-bodiless-on-404", "A 404 has a status line and no body.", failing(bodiless, 404)),
		fault("error-bodiless-on-415", "A 415 has a status line and no body.", failing(bodiless, 415)),
	),
	faults(breaks("ERROR-1", "ERROR-2"))(
		fault("error-problem", "Errors are problem details, in place of the Error body.", failing(problem)),
		fault("error-problem-on-400", "The validator writes problem details; the rest of the service does not.",
			failing(problem, 400)),
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
		fault("gateway-413-page-beyond-16-kb", "A body of more than 16 kB is refused with the gateway's HTML page.",
			gateway(larger(16<<10), as(413, page))),
		fault("gateway-413-page-beyond-100-kb", "A body of more than 100 kB is refused with the framework's HTML page.",
			gateway(larger(100<<10), as(413, page))),
		fault("gateway-413-text", "A body of more than 64 kB is refused in plain text.",
			gateway(larger(64<<10), Replaced(413, textType, "Payload Too Large"))),
		fault("gateway-415-text", "A media type other than text and JSON is refused in plain text.",
			gateway(unusualType, Replaced(415, textType, "Unsupported Media Type"))),
		fault("gateway-415-page", "A media type other than text and JSON is refused with an HTML page.",
			gateway(unusualType, as(415, page))),
	),
	faults(breaks("ERROR-2"))(
		fault("gateway-413-bodiless", "A body of more than 64 kB is refused without a body.",
			gateway(larger(64<<10), as(413, bodiless))),
		fault("gateway-415-bodiless", "A media type other than text and JSON is refused without a body.",
			gateway(unusualType, as(415, bodiless))),
		fault("gateway-413-words", "A body of more than 64 kB is refused with the gateway's own JSON.",
			gateway(larger(64<<10), Replaced(413, MediaJSON, `{"error":"request entity too large"}`))),
		fault("gateway-415-words", "A media type other than text and JSON is refused with the framework's own JSON.",
			gateway(unusualType, Replaced(415, MediaJSON, `{"error":"unsupported media type"}`))),
	),
)
