package reference

import (
	"fmt"
	"mime"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
)

// errorText writes the body of the selected Errors.
func errorText(w when, text func(e spec.Error) string) func(*behaviour) {
	return func(b *behaviour) {
		before := b.failure
		b.failure = func(c *call, e spec.Error) []byte {
			if c.operation == spec.Elsewhere || !w(c, &answer{status: e.Status}) {
				return before(c, e)
			}
			return []byte(text(e))
		}
	}
}

func errorJSON(e spec.Error) string { return string(encode(errorFields(nil, e))) }

// writeError changes the members of the selected Errors.
func writeError(w when, change func(e spec.Error, fields []field) []field) func(*behaviour) {
	return func(b *behaviour) {
		before := b.errors
		b.errors = func(c *call, e spec.Error) []field {
			if !w(c, &answer{status: e.Status}) {
				return before(c, e)
			}
			return change(e, before(c, e))
		}
	}
}

// errorEdited edits the members of the selected Errors of the four operations.
func errorEdited(w when, change edit) func(*behaviour) {
	return writeError(ofOperations.and(w), func(_ spec.Error, fields []field) []field { return change(fields) })
}

// errorStatus writes the member status of the selected Errors.
func errorStatus(w when, value func(status int) string) func(*behaviour) {
	return writeError(ofOperations.and(w), func(e spec.Error, fields []field) []field { return valued("status", value(e.Status))(fields) })
}

var errorBodyDeviations = slices.Concat(
	faults(breaks("ERROR-2"))(
		fault("error-without-code", "A program cannot tell errors apart.", errorEdited(always, without("code"))),
		fault("error-without-message", "A user reads an empty line.", errorEdited(always, without("message"))),
		fault("error-without-status", "A queue that keeps only bodies loses the kind of the error.",
			errorEdited(always, without("status"))),
		fault("error-without-code-on-401", "The gateway that checks keys writes an Error without a code.",
			errorEdited(having(401), without("code"))),
		fault("error-without-status-on-404", "A typed client fails to decode the Error of a missing animal.",
			errorEdited(having(404), without("status"))),
		fault("error-without-message-on-400", "A developer does not learn which member was wrong.",
			errorEdited(having(400), without("message"))),
		fault("error-code-number", "A client that expects a string fails on the Error itself.",
			writeError(ofOperations, func(e spec.Error, fields []field) []field {
				return valued("code", strconv.Itoa(e.Status))(fields)
			})),
		fault("error-code-null", "A client that expects a string reads null.",
			errorEdited(having(401, 404), valued("code", "null"))),
		fault("error-message-null", "A client that expects a string reads null.",
			errorEdited(having(404), valued("message", "null"))),
		fault("error-message-list", "A client that expects one string reads a list.",
			errorEdited(having(400), valued("message", `["name must be a string"]`))),
		fault("error-status-text", "The status is a string, which equals no number.",
			errorStatus(always, func(n int) string { return quoted(strconv.Itoa(n)) })),
		fault("error-status-null", "A client that expects a number reads null.",
			errorEdited(having(401), valued("status", "null"))),
		fault("error-status-called-statuscode", "The member has the name that another framework gives it.",
			errorEdited(always, renamed("status", "statusCode"))),
		fault("error-capitalised", "The members are named after the fields of a struct: Code, Message, Status.",
			errorEdited(always, func(f []field) []field {
				return renamed("code", "Code")(renamed("message", "Message")(renamed("status", "Status")(f)))
			})),
	),
	faults(breaks("ERROR-3"))(
		fault("error-status-always-400", "Every error looks like a bad request.",
			errorEdited(always, valued("status", "400"))),
		fault("error-status-always-500", "Every error looks like a server error and is retried.",
			errorEdited(always, valued("status", "500"))),
		fault("error-status-of-application", "A number of the application stands in place of the HTTP status.",
			errorStatus(having(400, 401), func(n int) string { return strconv.Itoa(n*100 + 1) })),
		fault("error-status-200-on-404", "The body of a 404 says that the request succeeded.",
			errorEdited(having(404), valued("status", "200"))),
	),
	// These are the errors of frameworks and gateways in place of the service's own.
	faults(breaks("ERROR-2"))(
		fault("error-of-fastapi", "The errors of a validator stand under detail.",
			errorText(having(400), func(spec.Error) string {
				return `{"detail":[{"loc":["body","name"],"msg":"Field required","type":"missing"}]}`
			})),
		fault("error-of-django", "The 404 has only the member detail.",
			errorText(having(404), func(spec.Error) string { return `{"detail":"Not found."}` })),
		fault("error-of-spring", "The body has the framework's members, without code and message.",
			errorText(having(400, 404), func(e spec.Error) string {
				return `{"timestamp":"2026-03-01T12:00:00.000+00:00","status":` + strconv.Itoa(e.Status) + `,"error":"Error","path":"/v1/pets"}`
			})),
		fault("error-of-gateway", "The gateway refuses keys with a body of its own.",
			errorText(having(401), func(spec.Error) string { return `{"message":"Unauthorized"}` })),
		fault("error-problem-members", "The members are those of problem details (RFC 9457).",
			errorText(always, func(e spec.Error) string {
				return `{"type":"about:blank","title":"Error","status":` + strconv.Itoa(e.Status) + `,"detail":` + quoted(e.Message) + `}`
			})),
		fault("error-wrapped", "The Error is nested in the member error.",
			errorText(always, func(e spec.Error) string { return `{"error":` + errorJSON(e) + `}` })),
		fault("error-empty-object", "The Error has no members.",
			errorText(having(404), func(spec.Error) string { return "{}" })),
	),
	faults(breaks("ERROR-2"))(
		fault("error-in-array", "The Error is an element of an array.",
			errorText(always, func(e spec.Error) string { return "[" + errorJSON(e) + "]" })),
		fault("error-as-string", "The Error is encoded twice: a string that holds JSON.",
			errorText(always, func(e spec.Error) string { return quoted(errorJSON(e)) })),
		fault("error-only-message", "The body is the message alone.",
			errorText(having(400, 404), func(e spec.Error) string { return quoted(e.Message) })),
		fault("error-null", "The body of a 404 is null.",
			errorText(having(404), func(spec.Error) string { return "null" })),
		fault("error-empty-on-400", "The body of a 400 is empty, so a developer does not learn what was wrong.",
			errorText(having(400), func(spec.Error) string { return "" })),
		fault("error-twice", "Two handlers write an Error each.",
			errorText(having(404), func(e spec.Error) string { return errorJSON(e) + errorJSON(e) })),
		fault("error-cut-short", "The last byte is missing, so the Error cannot be decoded.",
			errorText(always, func(e spec.Error) string { j := errorJSON(e); return j[:len(j)-1] })),
		fault("error-latin1", "The message is not UTF-8, which breaks strict decoders.",
			errorText(having(404), func(e spec.Error) string {
				return "{\"code\":\"not_found\",\"message\":\"Kein Tier f\xfcr diese id\",\"status\":" + strconv.Itoa(e.Status) + "}"
			})),
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
