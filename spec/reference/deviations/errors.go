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

// someErrors are statuses of errors that other parts of a service write: the check of the key, of the body, the lookup.
var someErrors = []int{400, 401, 404}

// errorMemberRows are faults of a member of the Error, in every error, and of a missing one, in those with a status.
func errorMemberRows() []Deviation {
	var rows []Row[Deviation]
	wrong := append(slices.Clone(ofAny), changed("text", Within(`"the `, `"`)))
	for i, member := range []string{"code", "message", "status"} {
		for _, f := range wrong {
			switch {
			case f.how == "missing":
				rows = append(rows, fault(fmt.Sprintf("error-%s-missing-on-%d", member, someErrors[i]), failing(Edited(f.edit(member)), someErrors[i])))
				fallthrough
			case f.how != "text" || member == "status":
				rows = append(rows, fault("error-"+member+"-"+f.how, failing(Edited(f.edit(member)))))
			}
		}
	}
	return faults(breaks("ERROR-2"))(rows...)
}

var errorBodyRows = slices.Concat(
	errorMemberRows(),
	faults(breaks("ERROR-3"))(
		fault("error-status-always-400", failing(Edited(Valued("status", "400")))),
		fault("error-status-always-500", failing(Edited(Valued("status", "500")))),
		fault("error-status-200-on-404", failing(Edited(Valued("status", "200")), 404)),
	),
	// These are the errors of frameworks and gateways in place of the service's own.
	faults(breaks("ERROR-2"))(
		fault("error-of-fastapi",
			failing(Saying(`{"detail":[{"loc":["body","name"],"msg":"Field required","type":"missing"}]}`), 400)),
		fault("error-of-django", failing(Saying(`{"detail":"Not found."}`), 404)),
		fault("error-of-gateway", failing(Saying(`{"message":"Unauthorized"}`), 401)),
		fault("error-capitalised",
			failing(Edited(Both(Renamed("code", "Code"), Both(Renamed("message", "Message"), Renamed("status", "Status")))))),
	),
	errorRows("ERROR-2", "in-array", Surrounded("[", "]"), 0),
	errorRows("ERROR-2", "wrapped", Surrounded(`{"error":`, `}`), 0),
	errorRows("ERROR-2", "as-string", Rewritten(asString), 0),
	errorRows("ERROR-2", "null", Saying("null"), 404),
	errorRows("ERROR-2", "empty", Saying(""), 400),
	errorRows("ERROR-2", "cut-short", Rewritten(withoutLastByte), 0),
	errorRows("ERROR-2", "twice", Rewritten(twice), 404),
	errorRows("ERROR-2", "latin1", Substituted(`"message":"`, "\"message\":\"F\xfcr "), 404),
)

// errorRows write the errors of those statuses otherwise; 0 stands for all of them.
func errorRows(broken spec.ID, how string, change func(*Call, *Answer), statuses ...int) (all []Deviation) {
	for _, status := range statuses {
		row := fault("error-"+how, failing(change))
		if status != 0 {
			row = fault(fmt.Sprintf("error-%s-on-%d", how, status), failing(change, status))
		}
		all = append(all, faults(breaks(broken))(row)...)
	}
	return all
}

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
	errorRows("ERROR-1", "page", page, 0, 400, 401, 404, 415),
	errorRows("ERROR-1", "declared-text", Declared(textType), 0, 404),
	errorRows("ERROR-1", "declared-html", Declared(htmlType), 400),
	errorRows("ERROR-1", "declared-problem", Declared(problemType), 0),
	errorRows("ERROR-1", "declared-nothing", Declared(""), 0, 401),
	errorRows("ERROR-2", "bodiless", bodiless, 401, 404, 415),
	faults(breaks("ERROR-1", "ERROR-2"))(fault("error-problem", failing(problem)), fault("error-problem-on-400", failing(problem, 400))),
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
		fault("gateway-415-text", gateway(unusualType, Replaced(415, textType, "Unsupported Media Type"))),
	),
	faults(breaks("ERROR-2"))(
		fault("gateway-413-bodiless", gateway(larger(64<<10), as(413, bodiless))),
	),
)
