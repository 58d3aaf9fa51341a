package reference

import (
	"fmt"
	"strconv"

	"petconform/spec"
)

const (
	htmlType = "text/html; charset=utf-8"
	textType = "text/plain; charset=utf-8"
)

// errorAnswer makes a deviation that changes the error responses that w means, in body and media type.
func errorAnswer(name string, breaks []spec.ID, suffers string, w when, change func(*call, *answer)) Deviation {
	return Deviation{
		Name: name, Breaks: breaks, Suffers: suffers,
		apply: func(b *behaviour) { b.alter(when(failed).and(w), change) },
	}
}

func page(c *call, a *answer) {
	body := fmt.Sprintf("<html><head><title>%d</title></head><body><h1>Error %d</h1></body></html>\n", a.status, a.status)
	replaced(a.status, htmlType, body)(c, a)
}

func line(c *call, a *answer) {
	replaced(a.status, textType, fmt.Sprintf("error %d\n", a.status))(c, a)
}

func bodiless(_ *call, a *answer) { a.mediaType, a.body = "", nil }

func problem(c *call, a *answer) {
	replaced(a.status, "application/problem+json", `{"type":"about:blank","title":"Error","status":`+strconv.Itoa(a.status)+`}`)(c, a)
}

var errorMediaDeviations = []Deviation{
	errorAnswer("error-page", ids("ERROR-1"), "Errors are pages for browsers; a client shows markup or fails to decode.", always, page),
	errorAnswer("error-page-on-401", ids("ERROR-1"), "The proxy in front answers for the key, in HTML.", having(401), page),
	errorAnswer("error-page-on-400", ids("ERROR-1"), "The parser's own page comes before the service's Error.", having(400), page),
	errorAnswer("error-page-on-404", ids("ERROR-1"), "A missing animal is answered by the router's default page.", having(404), page),
	errorAnswer("error-page-on-415", ids("ERROR-1"), "A refused media type is answered by the framework, in HTML.", having(415), page),
	errorAnswer("error-line-on-401", ids("ERROR-1"), "A middleware answers with a line of text.", having(401), line),
	errorAnswer("error-line-on-400", ids("ERROR-1"), "A body that cannot be read is answered with a line of text.", having(400), line),
	errorAnswer("error-line-on-404", ids("ERROR-1"), "A missing animal is answered with a line of text.", having(404), line),
	errorAnswer("error-bodiless-on-401", ids("ERROR-2"), "There is only a status line.", having(401), bodiless),
	errorAnswer("error-bodiless-on-404", ids("ERROR-2"), "There is only a status line.", having(404), bodiless),
	errorAnswer("error-bodiless-on-415", ids("ERROR-2"), "There is only a status line.", having(415), bodiless),
	errorAnswer("error-problem", ids("ERROR-1", "ERROR-2"), "Errors are problem details, another format than the promised one.", always, problem),
	errorAnswer("error-problem-on-400", ids("ERROR-1", "ERROR-2"), "The validator writes problem details, the rest of the service does not.", having(400), problem),
	errorAnswer("error-declared-text", ids("ERROR-1"), "A client that looks at the media type does not decode the Error.", always, declared(textType)),
	errorAnswer("error-declared-text-on-404", ids("ERROR-1"), "A helper for plain errors set its own media type.", having(404), declared(textType)),
	errorAnswer("error-declared-html-on-400", ids("ERROR-1"), "The media type was never set on this path.", having(400), declared(htmlType)),
	errorAnswer("error-declared-problem", ids("ERROR-1"), "The Error is declared as problem details, which it is not.", always, declared("application/problem+json")),
	errorAnswer("error-declared-nothing", ids("ERROR-1"), "A client has to guess what the body is.", always, declared("")),
	errorAnswer("error-declared-nothing-on-401", ids("ERROR-1"), "A client has to guess what the body is.", having(401), declared("")),
	errorAnswer("error-declared-text-json-on-create", ids("ERROR-1"), "An older name of the media type is not recognised.", on(spec.CreatePet), declared("text/json")),
}
