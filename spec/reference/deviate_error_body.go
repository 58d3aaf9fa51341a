package reference

import (
	"slices"
	"strconv"

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
	table(Deviation{Breaks: ids("ERROR-2")}, errorMemberRows),
	table(Deviation{Breaks: ids("ERROR-3")}, errorStatusRows),
	table(Deviation{Breaks: ids("ERROR-2")}, errorFrameworkRows),
	table(Deviation{Breaks: ids("ERROR-2")}, errorTextRows),
)

var errorMemberRows = []Deviation{
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
}

var errorStatusRows = []Deviation{
	{Name: "error-status-always-400", Suffers: "Every error looks like a bad request.", apply: errorEdited(always, valued("status", "400"))},
	{Name: "error-status-always-500", Suffers: "Every error looks like a server error and is retried.", apply: errorEdited(always, valued("status", "500"))},
	{Name: "error-status-of-application", Suffers: "A number of the application stands in place of the HTTP status.",
		apply: errorStatus(having(400, 401), func(n int) string { return strconv.Itoa(n*100 + 1) })},
	{Name: "error-status-200-on-404", Suffers: "The body of a 404 says that the request succeeded.", apply: errorEdited(having(404), valued("status", "200"))},
}

// errorFrameworkRows are the errors of frameworks and gateways in place of the service's own.
var errorFrameworkRows = []Deviation{
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
}

var errorTextRows = []Deviation{
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
}
