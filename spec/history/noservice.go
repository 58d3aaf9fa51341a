package history

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"petconform/spec/exchange"
)

// LooksLikeAPage reports whether a response is a web page.
func LooksLikeAPage(x Exchange) bool {
	return x.Malformed != nil && !x.IsJSON() && (x.MediaType() == "text/html" || strings.HasPrefix(strings.TrimSpace(string(x.Response.Body)), "<"))
}

// plainToTLS is what net/http, nginx and Apache answer to plain HTTP on a port for TLS.
var plainToTLS = regexp.MustCompile(`(?i)HTTP request (was sent )?to (an )?HTTPS|speaking plain HTTP to an SSL`)

// NoService says how all responses of a run's first requests are wrong in the same way, and what to do; "" if one of them
// may be the service's.
func NoService(m exchange.Meta, seen []Exchange) string {
	base, way, ask := m.Target, "", ""
	if strings.Contains(m.Way.String(), "proxy") {
		way, ask = ", "+m.Way.String(), " Or does the proxy refuse it?"
	}
	all := func(is func(Exchange) bool) bool {
		return !slices.ContainsFunc(seen, func(x Exchange) bool { return !is(x) })
	}
	status := func(codes ...int) func(Exchange) bool {
		return func(x Exchange) bool { return slices.Contains(codes, x.Status()) }
	}
	is := func(format string, args ...any) string { return base + fmt.Sprintf(format, args...) }
	x, https := seen[0], strings.Replace(base, "http://", "https://", 1)
	switch {
	case all(func(x Exchange) bool {
		return x.Response == nil || x.Failure != nil && x.Failure.Kind != exchange.TooLarge
	}):
		ask := "is it running, and is the address right?"
		switch {
		case x.Failure == nil:
			return "no request was answered"
		case x.Failure.Kind == exchange.Timeout:
			return is(": no answer in %s: it accepts the connection and says nothing", x.Done.Round(100*time.Millisecond))
		case strings.Contains(x.Failure.Detail, "; "): // it says what to do
			return is(": %s (%s)", Clip(x.Failure.Detail, 300), x.Failure.Kind)
		case https != base && x.Failure.Kind == exchange.Closed:
			ask = "if the port is one for TLS, try " + https // many servers close a connection that does not begin with TLS
		}
		return is(": %s (%s); %s", Clip(x.Failure.Detail, 200), x.Failure.Kind, ask)
	case all(func(x Exchange) bool { return x.Status() == 400 && plainToTLS.Match(x.Response.Body) }):
		return is(" is a port for TLS; try %s", https)
	case all(status(http.StatusProxyAuthRequired)): // only a proxy answers so (RFC 9110, section 15.5.8)
		return is(": the proxy in front of it asks for a user and a password (407%s); put them into HTTP_PROXY, or add the host to NO_PROXY", way)
	case all(status(401, 403)):
		return is(" refuses the key (%d to GET /pets%s); is PETCONFORM_KEY or --key-file the key of this target?%s", x.Status(), way, ask)
	case all(status(404, 405, 410)):
		return is(" has no /pets (%d to every request); a base address ends in /v1, is this one complete?", x.Status())
	case x.Response != nil && all(func(x Exchange) bool { return x.Response == nil || x.Status()/100 == 3 }) && leads(base, x):
		// It may close the connection of a POST before it has read the body, so that no response comes.
		return is(" redirects (%d to %q); use the address that answers without a redirect", x.Status(),
			Clip(x.Response.Header.Get("Location"), 200))
	case all(func(x Exchange) bool { return x.Status() >= 500 }):
		return is(" answers every request with a server error (%d: %s); see its log, or add --wait-ready 60s if it is still starting",
			x.Status(), x.Excerpt())
	case all(func(x Exchange) bool { return x.Response != nil && x.Status()/100 != 3 && LooksLikeAPage(x) }):
		return is(" answers with web pages (%d %s); is this the address of the API?", x.Status(), x.MediaType())
	}
	return ""
}

// leads reports whether a redirect leads away from the base address. One within it is the operation's own answer.
func leads(base string, x Exchange) bool {
	from, err := url.Parse(base + x.Request.Path)
	to, wrong := url.Parse(x.Response.Header.Get("Location"))
	if err != nil || wrong != nil || to.String() == "" {
		return false
	}
	return !strings.HasPrefix(from.ResolveReference(to).String(), base+"/")
}
