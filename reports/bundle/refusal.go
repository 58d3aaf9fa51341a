package bundle

import (
	"strings"
	"time"

	"petconform/reports/safe"
	"petconform/spec/client"
)

// Refusal is a kind of reason not to release on a bundle, in words for a reader.
type Refusal string

// The refusals. Each asks for something else to be done.
const (
	// Altered: the bundle or a record beside it is not what was made or signed.
	Altered Refusal = "ALTERED"
	// NotListed: a signature holds, and its key is not one of the allowed signers.
	NotListed Refusal = "A SIGNER IS NOT IN THE LIST"
	// NotSigned: a signature is missing.
	NotSigned Refusal = "A SIGNATURE IS MISSING"
	// NotAgreed: a signer disagrees, or one signer did both steps.
	NotAgreed Refusal = "NOT AGREED"
	// NotThis: the bundle is of another target or build than the one to be released, or too old.
	NotThis Refusal = "NOT WHAT IS TO BE RELEASED"
)

// refusals are in the order in which a reader has to know of them.
var refusals = []Refusal{Altered, NotListed, NotSigned, NotAgreed, NotThis}

// ToDo says in a sentence what a refusal means, and what to do.
func (r Refusal) ToDo() string {
	switch r {
	case Altered:
		return "The bundle was altered, or a record beside it was: do not release on it. " +
			"Get both again from where they were made, or make another bundle with petconform signoff."
	case NotListed:
		return "A signer is not in the list: if the key is known to be this signer's, " +
			"add the line that petconform sign printed to the file of allowed signers; if not, have someone sign who is in the list."
	case NotSigned:
		return "A signature is missing: have the bundle prepared and approved with two keys, " +
			"with petconform sign --step prepared --key FILE and --step approved --key FILE."
	case NotAgreed:
		return "The signers did not agree: settle it between them; " +
			"each may sign again, and the later record of a key and step counts. Two different people have to prepare and approve."
	case NotThis:
		return "The bundle is not about what is to be released: verify the bundle of that target and build, " +
			"or make one with petconform signoff."
	}
	return ""
}

// Release is what is to be released. A member that is not given allows anything.
type Release struct {
	// Target is the base address of the service, and Build its build, as the bundle has to name them.
	Target, Build string
	// MaxAge is the longest time between the end of the run and Now.
	MaxAge time.Duration
	Now    time.Time
}

// clockDifference is how far the clock of the run may be ahead of Now: clocks that NTP keeps differ by less than
// seconds, others by minutes. A run from further in the future would never become too old.
const clockDifference = 5 * time.Minute

// release compares what the bundle is about with what is to be released.
func (v *Verification) release(want Release) {
	of := v.Results.Target
	if want.Target != "" {
		if address(of.URL) != address(want.Target) {
			v.refuse(NotThis, "it is about the target %q, and %q is to be released", of.URL, want.Target)
		} else {
			v.held("the target, %s", of.URL)
		}
	}
	switch {
	case want.Build == "":
	case of.Build == "":
		v.refuse(NotThis, "it does not name the build that was tested, and %q is to be released", want.Build)
	case of.Build != want.Build:
		v.refuse(NotThis, "it is about the build %q, and %q is to be released", of.Build, want.Build)
	default:
		v.held("the build, %s", of.Build)
	}
	if want.MaxAge <= 0 {
		return
	}
	age := want.Now.Sub(v.Results.Ended).Round(time.Second)
	switch ended := safe.Time(v.Results.Ended); {
	case v.Results.Ended.IsZero():
		v.refuse(NotThis, "its run has no end, so its age is not known; at most %s is accepted", want.MaxAge)
	case age > want.MaxAge:
		v.refuse(NotThis, "its run ended %s ago, at %s; at most %s is accepted", age, ended, want.MaxAge)
	case age < -clockDifference:
		v.refuse(NotThis, "its run ended at %s, which is %s from now; correct the clock of this machine", ended, -age)
	default:
		v.held("the age, %s of at most %s", max(age, 0), want.MaxAge)
	}
}

// address writes a base address in one way: without the default port, and with its scheme and host in lower case.
func address(raw string) string {
	u, err := client.ParseBase(raw)
	if err != nil {
		return raw
	}
	u.Host = strings.ToLower(u.Host)
	for scheme, port := range map[string]string{"http": ":80", "https": ":443"} {
		if u.Scheme == scheme {
			u.Host = strings.TrimSuffix(u.Host, port)
		}
	}
	return u.String()
}
