package reference

import (
	"mime"
	"slices"
	"strings"

	"petconform/spec"
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
