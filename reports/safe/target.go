package safe

import "petconform/spec/verdict"

// ReferenceService is what reports call the reference service that petconform runs itself.
const ReferenceService = "the built-in reference service"

// Target names what was judged, with its address. It says so if that was the built-in reference service or clients.
func Target(res verdict.Results) string {
	switch {
	case res.OfClient():
		return "the clients of " + res.Target.URL
	case res.Target.Reference:
		return ReferenceService + ", " + res.Target.URL
	}
	return res.Target.URL
}
