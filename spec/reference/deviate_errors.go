package reference

import (
	"fmt"
	"mime"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
)

var errorBodyDeviations = slices.Concat(
	faults(breaks("ERROR-2"))(
		fault("error-without-code", "A program cannot tell errors apart.", failing(edited(without("code")))),
		fault("error-without-message", "A user reads an empty line.", failing(edited(without("message")))),
		fault("error-without-status", "A queue that keeps only bodies loses the kind of the error.",
			failing(edited(without("status")))),
		fault("error-without-code-on-401", "The gateway that checks keys writes an Error without a code.",
			failing(edited(without("code")), 401)),
		fault("error-without-status-on-404", "A typed client fails to decode the Error of a missing animal.",
			failing(edited(without("status")), 404)),
		fault("error-without-message-on-400", "A developer does not learn which member was wrong.",
			failing(edited(without("message")), 400)),
		fault("error-code-number", "A client that expects a string fails on the Error itself.",
			failing(edited(valued("code", "4711")))),
		fault("error-code-null", "A client that expects a string reads null.",
			failing(edited(valued("code", "null")), 401, 404)),
		fault("error-message-null", "A client that expects a string reads null.",
			failing(edited(valued("message", "null")), 404)),
		fault("error-message-list", "A client that expects one string reads a list.",
			failing(edited(valued("message", `["name must be a string"]`)), 400)),
		fault("error-status-text", "The status is a string, which equals no number.",
			failing(edited(changed("status", strconv.Quote)))),
		fault("error-status-null", "A client that expects a number reads null.",
			failing(edited(valued("status", "null")), 401)),
		fault("error-status-called-statuscode", "The member has the name that another framework gives it.",
			failing(edited(renamed("status", "statusCode")))),
		fault("error-capitalised", "The members are named after the fields of a struct: Code, Message, Status.",
			failing(edited(both(renamed("code", "Code"),
				both(renamed("message", "Message"), renamed("status", "Status")))))),
	),
	faults(breaks("ERROR-3"))(
		fault("error-status-always-400", "Every error looks like a bad request.",
			failing(edited(valued("status", "400")))),
		fault("error-status-always-500", "Every error looks like a server error and is retried.",
			failing(edited(valued("status", "500")))),
		fault("error-status-of-application", "A number of the application stands in place of the HTTP status.",
			failing(edited(changed("status", within("", "01"))), 400, 401)),
		fault("error-status-200-on-404", "The body of a 404 says that the request succeeded.",
			failing(edited(valued("status", "200")), 404)),
	),
	// These are the errors of frameworks and gateways in place of the service's own.
	faults(breaks("ERROR-2"))(
		fault("error-of-fastapi", "The errors of a validator stand under detail.",
			failing(saying(`{"detail":[{"loc":["body","name"],"msg":"Field required","type":"missing"}]}`), 400)),
		fault("error-of-django", "The 404 has only the member detail.",
			failing(saying(`{"detail":"Not found."}`), 404)),
		fault("error-of-spring", "The body has the framework's members, without code and message.",
			failing(edited(both(both(without("code"), without("message")), adding(field{"timestamp", `"2026-03-01T12:00:00Z"`},
				field{"error", `"Error"`}, field{"path", `"/v1/pets"`}))), 400, 404)),
		fault("error-of-gateway", "The gateway refuses keys with a body of its own.",
			failing(saying(`{"message":"Unauthorized"}`), 401)),
		fault("error-problem-members", "The members are those of problem details (RFC 9457).",
			failing(edited(both(renamed("message", "detail"), both(renamed("code", "title"), adding(field{"type", `"about:blank"`})))))),
		fault("error-wrapped", "The Error is nested in the member error.", failing(surrounded(`{"error":`, `}`))),
		fault("error-empty-object", "The Error has no members.", failing(saying("{}"), 404)),
	),
	faults(breaks("ERROR-2"))(
		fault("error-in-array", "The Error is an element of an array.", failing(surrounded("[", "]"))),
		fault("error-as-string", "The Error is encoded twice: a string that holds JSON.", failing(rewritten(asString))),
		fault("error-only-message", "The body is the message alone.",
			failing(saying(`"The request is refused."`), 400, 404)),
		fault("error-null", "The body of a 404 is null.", failing(saying("null"), 404)),
		fault("error-empty-on-400", "The body of a 400 is empty, so a developer does not learn what was wrong.",
			failing(saying(""), 400)),
		fault("error-twice", "Two handlers write an Error each.", failing(rewritten(twice), 404)),
		fault("error-cut-short", "The last byte is missing, so the Error cannot be decoded.",
			failing(rewritten(withoutLastByte))),
		fault("error-latin1", "The message is not UTF-8, which breaks strict decoders.",
			failing(substituted(`"message":"`, "\"message\":\"F\xfcr "), 404)),
	),
)

const (
	htmlType    = "text/html; charset=utf-8"
	textType    = "text/plain; charset=utf-8"
	problemType = "application/problem+json"
)

// page, problem and bodiless replace an error response by what a proxy, a validator or a router writes.
func page(c *call, a *answer) {
	body := fmt.Sprintf("<html><head><title>%d</title></head><body><h1>Error %d</h1></body></html>\n", a.status, a.status)
	replaced(a.status, htmlType, body)(c, a)
}

func problem(c *call, a *answer) {
	replaced(a.status, problemType, `{"type":"about:blank","title":"Error","status":`+strconv.Itoa(a.status)+`}`)(c, a)
}

func bodiless(_ *call, a *answer) { a.mediaType, a.body = "", nil }

// failing changes the error responses that have one of the statuses; with none, all of them.
func failing(change func(*call, *answer), statuses ...int) func(*behaviour) {
	if len(statuses) == 0 {
		return failed.then(change)
	}
	return failed.and(having(statuses...)).then(change)
}

var errorMediaDeviations = slices.Concat(
	faults(breaks("ERROR-1"))(
		fault("error-page", "Errors are HTML pages, which a client cannot decode.", failing(page)),
		fault("error-page-on-401", "The proxy refuses keys with an HTML page.", failing(page, 401)),
		fault("error-page-on-400", "The parser refuses bodies with an HTML page.", failing(page, 400)),
		fault("error-page-on-404", "A missing animal is answered with the router's default page.", failing(page, 404)),
		fault("error-page-on-415", "Another media type is refused with the framework's HTML page.", failing(page, 415)),
		fault("error-declared-text", "A client that goes by the media type does not decode the Error.",
			failing(declared(textType))),
		fault("error-declared-text-on-404", "A client that goes by the media type does not decode the Error of a 404.",
			failing(declared(textType), 404)),
		fault("error-declared-html-on-400", "A client that goes by the media type does not decode the Error of a 400.",
			failing(declared(htmlType), 400)),
		fault("error-declared-problem", "The Error is declared as problem details.", failing(declared(problemType))),
		fault("error-declared-nothing", "A client must guess the media type of an Error.", failing(declared(""))),
		fault("error-declared-nothing-on-401", "A client must guess the media type of a 401.",
			failing(declared(""), 401)),
		fault("error-declared-text-json-on-create",
			"The Error is declared as text/json, which clients do not recognise.",
			failed.and(on(spec.CreatePet)).then(declared("text/json"))),
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
func gateway(is func(c *call) bool, change func(*call, *answer)) func(*behaviour) {
	return on(spec.CreatePet).and(calls(func(c *call) bool { return c.account != nil && is(c) })).then(change)
}

// larger selects bodies of more than so many bytes.
func larger(bytes int64) func(c *call) bool {
	return func(c *call) bool { return c.request.ContentLength > bytes }
}

// unusualType selects bodies of a media type that is neither JSON nor text.
func unusualType(c *call) bool {
	media, _, _ := mime.ParseMediaType(c.request.Header.Get("Content-Type"))
	return media != "" && media != mediaJSON && !strings.HasPrefix(media, "text/")
}

// as sets the status, and what writes the body of such an answer.
func as(status int, body func(*call, *answer)) func(*call, *answer) {
	return func(c *call, a *answer) {
		a.status = status
		body(c, a)
	}
}

// gatewayDeviations are answers by a gateway in front of the service, which are still error responses of an operation.
var gatewayDeviations = slices.Concat(
	faults(breaks("ERROR-1"))(
		fault("gateway-413-page-beyond-16-kb", "A body of more than 16 kB is refused with the gateway's HTML page.",
			gateway(larger(16<<10), as(413, page))),
		fault("gateway-413-page-beyond-100-kb", "A body of more than 100 kB is refused with the framework's HTML page.",
			gateway(larger(100<<10), as(413, page))),
		fault("gateway-413-text", "A body of more than 64 kB is refused in plain text.",
			gateway(larger(64<<10), replaced(413, textType, "Payload Too Large"))),
		fault("gateway-415-text", "A media type other than text and JSON is refused in plain text.",
			gateway(unusualType, replaced(415, textType, "Unsupported Media Type"))),
		fault("gateway-415-page", "A media type other than text and JSON is refused with an HTML page.",
			gateway(unusualType, as(415, page))),
	),
	faults(breaks("ERROR-2"))(
		fault("gateway-413-bodiless", "A body of more than 64 kB is refused without a body.",
			gateway(larger(64<<10), as(413, bodiless))),
		fault("gateway-415-bodiless", "A media type other than text and JSON is refused without a body.",
			gateway(unusualType, as(415, bodiless))),
		fault("gateway-413-words", "A body of more than 64 kB is refused with the gateway's own JSON.",
			gateway(larger(64<<10), replaced(413, mediaJSON, `{"error":"request entity too large"}`))),
		fault("gateway-415-words", "A media type other than text and JSON is refused with the framework's own JSON.",
			gateway(unusualType, replaced(415, mediaJSON, `{"error":"unsupported media type"}`))),
	),
)
