package reference

import (
	"slices"
	"strconv"

	"petconform/spec"
)

// errorShape makes a deviation that changes the members of the Errors that w means.
func errorShape(name string, breaks spec.ID, suffers string, w when, change func(e spec.Error, fields []field) []field) Deviation {
	d := Deviation{Name: name, Breaks: ids(breaks), Suffers: suffers}
	d.apply = func(b *behaviour) {
		plainFailure := b.failure
		b.failure = func(dst []byte, c *call, e spec.Error) []byte {
			if c.operation == spec.Elsewhere || !w(c, &answer{status: e.Status}) {
				return plainFailure(dst, c, e)
			}
			return appendFields(dst, change(e, errorFields(e)))
		}
	}
	return d
}

// errorText makes a deviation that writes something else than an object of members.
func errorText(name, suffers string, w when, text func(e spec.Error) string) Deviation {
	d := Deviation{Name: name, Breaks: ids("ERROR-2"), Suffers: suffers}
	d.apply = func(b *behaviour) {
		plainFailure := b.failure
		b.failure = func(dst []byte, c *call, e spec.Error) []byte {
			if c.operation == spec.Elsewhere || !w(c, &answer{status: e.Status}) {
				return plainFailure(dst, c, e)
			}
			return append(dst, text(e)...)
		}
	}
	return d
}

func errorFields(e spec.Error) []field {
	return []field{{"code", quoted(e.Code)}, {"message", quoted(e.Message)}, {"status", strconv.Itoa(e.Status)}}
}

func errorJSON(e spec.Error) string { return string(appendFields(nil, errorFields(e))) }

// dropping, giving and calling are the changes that most of these deviations make to a member.
func dropping(name string) func(spec.Error, []field) []field {
	return func(_ spec.Error, f []field) []field { return without(f, name) }
}

func giving(name, value string) func(spec.Error, []field) []field {
	return func(_ spec.Error, f []field) []field { return valued(f, name, value) }
}

func calling(from, to string) func(spec.Error, []field) []field {
	return func(_ spec.Error, f []field) []field { return renamed(f, from, to) }
}

func only(fields ...field) func(spec.Error, []field) []field {
	return func(spec.Error, []field) []field { return fields }
}

var errorBodyDeviations = slices.Concat(errorMemberDeviations, errorFrameworkDeviations, errorTextDeviations)

var errorMemberDeviations = []Deviation{
	errorShape("error-without-code", "ERROR-2", "Programs have nothing to tell errors apart by.", always, dropping("code")),
	errorShape("error-without-message", "ERROR-2", "People read an empty line.", always, dropping("message")),
	errorShape("error-without-status", "ERROR-2", "A queue that keeps only bodies loses what kind of error it was.", always, dropping("status")),
	errorShape("error-without-code-on-401", "ERROR-2", "The key's gateway writes its own error, without a code.", having(401), dropping("code")),
	errorShape("error-without-status-on-404", "ERROR-2", "A typed client fails to decode a missing animal.", having(404), dropping("status")),
	errorShape("error-without-message-on-400", "ERROR-2", "Nobody is told which member was wrong.", having(400), dropping("message")),
	errorShape("error-code-number", "ERROR-2", "A client that declared a string fails on the error itself.", always,
		func(e spec.Error, f []field) []field { return valued(f, "code", strconv.Itoa(e.Status)) }),
	errorShape("error-code-null", "ERROR-2", "Where a string was promised there is null.", having(401, 404), giving("code", "null")),
	errorShape("error-message-null", "ERROR-2", "Where a text was promised there is null.", having(404), giving("message", "null")),
	errorShape("error-message-list", "ERROR-2", "Validators report a list where one string was promised.", having(400), giving("message", `["name must be a string"]`)),
	errorShape("error-message-localised", "ERROR-2", "A message per language cannot be shown by a client that expects text.", always, giving("message", `{"en":"refused"}`)),
	errorShape("error-status-text", "ERROR-2", "The status is a string, and compares unequal to every number.", always,
		func(e spec.Error, f []field) []field {
			return valued(f, "status", strconv.Quote(strconv.Itoa(e.Status)))
		}),
	errorShape("error-status-word", "ERROR-2", `The status is "error", as in an older envelope.`, having(400, 404), giving("status", `"error"`)),
	errorShape("error-status-null", "ERROR-2", "The status is null.", having(401), giving("status", "null")),
	errorShape("error-status-called-statuscode", "ERROR-2", "The member has the name that another framework gives it.", always, calling("status", "statusCode")),
	errorShape("error-capitalised", "ERROR-2", "Members are named like the fields of a struct without tags.", always,
		func(_ spec.Error, f []field) []field {
			return renamed(renamed(renamed(f, "code", "Code"), "message", "Message"), "status", "Status")
		}),
	errorShape("error-status-always-400", "ERROR-3", "Every error looks like the caller's bad request.", always, giving("status", "400")),
	errorShape("error-status-always-500", "ERROR-3", "Every error looks like the service's fault, and is retried.", always, giving("status", "500")),
	errorShape("error-status-0", "ERROR-3", "The status was never filled in.", having(404), giving("status", "0")),
	errorShape("error-status-of-application", "ERROR-3", "An application's own number stands where the HTTP status belongs.", having(400, 401),
		func(e spec.Error, f []field) []field { return valued(f, "status", strconv.Itoa(e.Status*100+1)) }),
	errorShape("error-status-403-on-401", "ERROR-3", "Body and status line disagree on whether a key helps.", having(401), giving("status", "403")),
	errorShape("error-status-200-on-404", "ERROR-3", "The body of a miss says that all is well.", having(404), giving("status", "200")),
}

// What frameworks and gateways write when the service does not.
var errorFrameworkDeviations = []Deviation{
	errorShape("error-of-fastapi", "ERROR-2", "The errors of a validator stand under detail.", having(400),
		only(field{"detail", `[{"loc":["body","name"],"msg":"Field required","type":"missing"}]`})),
	errorShape("error-of-django", "ERROR-2", "A missing animal is told as detail.", having(404), only(field{"detail", `"Not found."`})),
	errorShape("error-of-rails", "ERROR-2", "Errors are keyed by field.", having(400), only(field{"errors", `{"name":["can't be blank"]}`})),
	errorShape("error-of-spring", "ERROR-2", "The body is the framework's own map, without code and message.", having(400, 404),
		func(e spec.Error, _ []field) []field {
			return []field{{"timestamp", `"2026-03-01T12:00:00.000+00:00"`}, {"status", strconv.Itoa(e.Status)}, {"error", `"Error"`}, {"path", `"/v1/pets"`}}
		}),
	errorShape("error-of-gateway", "ERROR-2", "The gateway in front refuses keys with its own body.", having(401), only(field{"message", `"Unauthorized"`})),
	errorShape("error-problem-members", "ERROR-2", "The members are those of problem details.", always,
		func(e spec.Error, _ []field) []field {
			return []field{{"type", `"about:blank"`}, {"title", `"Error"`}, {"status", strconv.Itoa(e.Status)}, {"detail", quoted(e.Message)}}
		}),
	errorShape("error-wrapped", "ERROR-2", "The Error is one level deeper than promised.", always,
		func(e spec.Error, _ []field) []field { return []field{{"error", errorJSON(e)}} }),
	errorShape("error-empty-object", "ERROR-2", "The body says nothing at all.", having(404), only()),
}

var errorTextDeviations = []Deviation{
	errorText("error-in-array", "The Error is one of a list.", always, func(e spec.Error) string { return "[" + errorJSON(e) + "]" }),
	errorText("error-as-string", "The Error was encoded twice: a string with JSON in it.", always, func(e spec.Error) string { return quoted(errorJSON(e)) }),
	errorText("error-only-message", "The body is the message alone.", having(400, 404), func(e spec.Error) string { return quoted(e.Message) }),
	errorText("error-null", "The body of a miss is null.", having(404), func(spec.Error) string { return "null" }),
	errorText("error-empty-on-401", "The body is empty, and decoding it is a second error.", having(401), func(spec.Error) string { return "" }),
	errorText("error-empty-on-400", "The body is empty, so nobody learns what was wrong.", having(400), func(spec.Error) string { return "" }),
	errorText("error-twice", "Two handlers wrote, one behind the other.", having(404), func(e spec.Error) string { return errorJSON(e) + errorJSON(e) }),
	errorText("error-cut-short", "The last byte is missing.", always, func(e spec.Error) string { j := errorJSON(e); return j[:len(j)-1] }),
	errorText("error-python", "A dictionary was printed where JSON was meant.", having(400, 401), func(e spec.Error) string {
		return "{'code': 'refused', 'message': 'refused', 'status': " + strconv.Itoa(e.Status) + "}"
	}),
	errorText("error-latin1", "A message in another encoding than UTF-8 breaks strict decoders.", having(404), func(e spec.Error) string {
		return "{\"code\":\"not_found\",\"message\":\"Kein Tier f\xfcr diese id\",\"status\":" + strconv.Itoa(e.Status) + "}"
	}),
}
