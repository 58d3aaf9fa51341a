package safe

import (
	"petconform/spec"
	"petconform/spec/verdict"
)

// ReferenceService is what reports call the reference service that petconform runs itself.
const ReferenceService = "the built-in reference service"

// Target names what was judged, with its address. It says so if that was the built-in reference service or clients.
func Target(res verdict.Results) string {
	switch {
	case Client(res) != "":
		return "client " + Client(res) + " of " + res.Target.URL
	case res.OfClient():
		return "the clients of " + res.Target.URL
	case res.Target.Reference:
		return ReferenceService + ", " + res.Target.URL
	}
	return res.Target.URL
}

// Client names the client that was judged: by its build if that was given, else by its User-Agents. It is "" for a
// service.
func Client(res verdict.Results) string {
	switch {
	case !res.OfClient():
		return ""
	case res.Target.Build != "" || res.Client == nil:
		return Line(res.Target.Build)
	}
	return Line(spec.List(res.Client.Agents))
}
