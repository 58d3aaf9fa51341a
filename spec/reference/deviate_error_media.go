package reference

import (
	"fmt"
	"slices"
	"strconv"

	"petconform/spec"
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
