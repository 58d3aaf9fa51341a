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
	table(Deviation{Breaks: ids("ERROR-2")}, []Deviation{
		{Name: "error-without-code", Suffers: "A program cannot tell errors apart.", apply: errorEdited(always, without("code"))},
		{Name: "error-without-message", Suffers: "A user reads an empty line.", apply: errorEdited(always, without("message"))},
		{Name: "error-without-status", Suffers: "A queue that keeps only bodies loses the kind of the error.", apply: errorEdited(always, without("status"))},
		{Name: "error-without-code-on-401", Suffers: "The gateway that checks keys writes an Error without a code.", apply: errorEdited(having(401), without("code"))},
		{Name: "error-without-status-on-404", Suffers: "A typed client fails to decode the Error of a missing animal.", apply: errorEdited(having(404), without("status"))},
		{Name: "error-without-message-on-400", Suffers: "A developer does not learn which member was wrong.", apply: errorEdited(having(400), without("message"))},
		{Name: "error-code-number", Suffers: "A client that expects a string fails on the Error itself.", apply: writeError(ofOperations, func(e spec.Error, fields []field) []field {
			return valued("code", strconv.Itoa(e.Status))(fields)
		})},
		{Name: "error-code-null", Suffers: "A client that expects a string reads null.", apply: errorEdited(having(401, 404), valued("code", "null"))},
		{Name: "error-message-null", Suffers: "A client that expects a string reads null.", apply: errorEdited(having(404), valued("message", "null"))},
		{Name: "error-message-list", Suffers: "A client that expects one string reads a list.", apply: errorEdited(having(400), valued("message", `["name must be a string"]`))},
		{Name: "error-status-text", Suffers: "The status is a string, which equals no number.", apply: errorStatus(always, func(n int) string { return quoted(strconv.Itoa(n)) })},
		{Name: "error-status-null", Suffers: "A client that expects a number reads null.", apply: errorEdited(having(401), valued("status", "null"))},
		{Name: "error-status-called-statuscode", Suffers: "The member has the name that another framework gives it.", apply: errorEdited(always, renamed("status", "statusCode"))},
		{Name: "error-capitalised", Suffers: "The members are named after the fields of a struct: Code, Message, Status.", apply: errorEdited(always, func(f []field) []field {
			return renamed("code", "Code")(renamed("message", "Message")(renamed("status", "Status")(f)))
		})},
	}),
	table(Deviation{Breaks: ids("ERROR-3")}, []Deviation{
		{Name: "error-status-always-400", Suffers: "Every error looks like a bad request.", apply: errorEdited(always, valued("status", "400"))},
		{Name: "error-status-always-500", Suffers: "Every error looks like a server error and is retried.", apply: errorEdited(always, valued("status", "500"))},
		{Name: "error-status-of-application", Suffers: "A number of the application stands in place of the HTTP status.",
			apply: errorStatus(having(400, 401), func(n int) string { return strconv.Itoa(n*100 + 1) })},
		{Name: "error-status-200-on-404", Suffers: "The body of a 404 says that the request succeeded.", apply: errorEdited(having(404), valued("status", "200"))},
	}),
	// These are the errors of frameworks and gateways in place of the service's own.
	table(Deviation{Breaks: ids("ERROR-2")}, []Deviation{
		{Name: "error-of-fastapi", Suffers: "The errors of a validator stand under detail.", apply: errorText(having(400), func(spec.Error) string {
			return `{"detail":[{"loc":["body","name"],"msg":"Field required","type":"missing"}]}`
		})},
		{Name: "error-of-django", Suffers: "The 404 has only the member detail.", apply: errorText(having(404), func(spec.Error) string { return `{"detail":"Not found."}` })},
		{Name: "error-of-spring", Suffers: "The body has the framework's members, without code and message.", apply: errorText(having(400, 404), func(e spec.Error) string {
			return `{"timestamp":"2026-03-01T12:00:00.000+00:00","status":` + strconv.Itoa(e.Status) + `,"error":"Error","path":"/v1/pets"}`
		})},
		{Name: "error-of-gateway", Suffers: "The gateway refuses keys with a body of its own.", apply: errorText(having(401), func(spec.Error) string { return `{"message":"Unauthorized"}` })},
		{Name: "error-problem-members", Suffers: "The members are those of problem details (RFC 9457).", apply: errorText(always, func(e spec.Error) string {
			return `{"type":"about:blank","title":"Error","status":` + strconv.Itoa(e.Status) + `,"detail":` + quoted(e.Message) + `}`
		})},
		{Name: "error-wrapped", Suffers: "The Error is nested in the member error.", apply: errorText(always, func(e spec.Error) string { return `{"error":` + errorJSON(e) + `}` })},
		{Name: "error-empty-object", Suffers: "The Error has no members.", apply: errorText(having(404), func(spec.Error) string { return "{}" })},
	}),
	table(Deviation{Breaks: ids("ERROR-2")}, []Deviation{
		{Name: "error-in-array", Suffers: "The Error is an element of an array.", apply: errorText(always, func(e spec.Error) string { return "[" + errorJSON(e) + "]" })},
		{Name: "error-as-string", Suffers: "The Error is encoded twice: a string that holds JSON.", apply: errorText(always, func(e spec.Error) string { return quoted(errorJSON(e)) })},
		{Name: "error-only-message", Suffers: "The body is the message alone.", apply: errorText(having(400, 404), func(e spec.Error) string { return quoted(e.Message) })},
		{Name: "error-null", Suffers: "The body of a 404 is null.", apply: errorText(having(404), func(spec.Error) string { return "null" })},
		{Name: "error-empty-on-400", Suffers: "The body of a 400 is empty, so a developer does not learn what was wrong.", apply: errorText(having(400), func(spec.Error) string { return "" })},
		{Name: "error-twice", Suffers: "Two handlers write an Error each.", apply: errorText(having(404), func(e spec.Error) string { return errorJSON(e) + errorJSON(e) })},
		{Name: "error-cut-short", Suffers: "The last byte is missing, so the Error cannot be decoded.", apply: errorText(always, func(e spec.Error) string { j := errorJSON(e); return j[:len(j)-1] })},
		{Name: "error-latin1", Suffers: "The message is not UTF-8, which breaks strict decoders.", apply: errorText(having(404), func(e spec.Error) string {
			return "{\"code\":\"not_found\",\"message\":\"Kein Tier f\xfcr diese id\",\"status\":" + strconv.Itoa(e.Status) + "}"
		})},
	}),
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
	table(Deviation{Breaks: ids("ERROR-1")}, []Deviation{
		{Name: "error-page", Suffers: "Errors are HTML pages, which a client cannot decode.", apply: failing(page)},
		{Name: "error-page-on-401", Suffers: "The proxy refuses keys with an HTML page.", apply: failing(page, 401)},
		{Name: "error-page-on-400", Suffers: "The parser refuses bodies with an HTML page.", apply: failing(page, 400)},
		{Name: "error-page-on-404", Suffers: "A missing animal is answered with the router's default page.", apply: failing(page, 404)},
		{Name: "error-page-on-415", Suffers: "Another media type is refused with the framework's HTML page.", apply: failing(page, 415)},
		{Name: "error-declared-text", Suffers: "A client that goes by the media type does not decode the Error.", apply: failing(declared(textType))},
		{Name: "error-declared-text-on-404", Suffers: "A client that goes by the media type does not decode the Error of a 404.", apply: failing(declared(textType), 404)},
		{Name: "error-declared-html-on-400", Suffers: "A client that goes by the media type does not decode the Error of a 400.", apply: failing(declared(htmlType), 400)},
		{Name: "error-declared-problem", Suffers: "The Error is declared as problem details.", apply: failing(declared(problemType))},
		{Name: "error-declared-nothing", Suffers: "A client must guess the media type of an Error.", apply: failing(declared(""))},
		{Name: "error-declared-nothing-on-401", Suffers: "A client must guess the media type of a 401.", apply: failing(declared(""), 401)},
		{Name: "error-declared-text-json-on-create", Suffers: "The Error is declared as text/json, which clients do not recognise.",
			apply: failed.and(on(spec.CreatePet)).then(declared("text/json"))},
	}),
	table(Deviation{Breaks: ids("ERROR-2")}, []Deviation{
		{Name: "error-bodiless-on-401", Suffers: "A 401 has a status line and no body.", apply: failing(bodiless, 401)},
		{Name: "error-bodiless-on-404", Suffers: "A 404 has a status line and no body.", apply: failing(bodiless, 404)},
		{Name: "error-bodiless-on-415", Suffers: "A 415 has a status line and no body.", apply: failing(bodiless, 415)},
	}),
	table(Deviation{Breaks: ids("ERROR-1", "ERROR-2")}, []Deviation{
		{Name: "error-problem", Suffers: "Errors are problem details, in place of the Error body.", apply: failing(problem)},
		{Name: "error-problem-on-400", Suffers: "The validator writes problem details; the rest of the service does not.", apply: failing(problem, 400)},
	}),
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
	table(Deviation{Breaks: ids("ERROR-1")}, []Deviation{
		{Name: "gateway-413-page-beyond-16-kb", Suffers: "A body of more than 16 kB is refused with the gateway's HTML page.", apply: gateway(larger(16<<10), as(413, page))},
		{Name: "gateway-413-page-beyond-100-kb", Suffers: "A body of more than 100 kB is refused with the framework's HTML page.", apply: gateway(larger(100<<10), as(413, page))},
		{Name: "gateway-413-text", Suffers: "A body of more than 64 kB is refused in plain text.", apply: gateway(larger(64<<10), replaced(413, textType, "Payload Too Large"))},
		{Name: "gateway-415-text", Suffers: "A media type other than text and JSON is refused in plain text.", apply: gateway(unusualType, replaced(415, textType, "Unsupported Media Type"))},
		{Name: "gateway-415-page", Suffers: "A media type other than text and JSON is refused with an HTML page.", apply: gateway(unusualType, as(415, page))},
	}),
	table(Deviation{Breaks: ids("ERROR-2")}, []Deviation{
		{Name: "gateway-413-bodiless", Suffers: "A body of more than 64 kB is refused without a body.", apply: gateway(larger(64<<10), as(413, bodiless))},
		{Name: "gateway-415-bodiless", Suffers: "A media type other than text and JSON is refused without a body.", apply: gateway(unusualType, as(415, bodiless))},
		{Name: "gateway-413-words", Suffers: "A body of more than 64 kB is refused with the gateway's own JSON.", apply: gateway(larger(64<<10), replaced(413, mediaJSON, `{"error":"request entity too large"}`))},
		{Name: "gateway-415-words", Suffers: "A media type other than text and JSON is refused with the framework's own JSON.", apply: gateway(unusualType, replaced(415, mediaJSON, `{"error":"unsupported media type"}`))},
	}),
)
