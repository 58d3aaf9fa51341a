package bundle

import (
	"strings"
	"time"

	"petconform/reports/safe"
	"petconform/spec/client"
)

// Kind says what is said of one thing that was verified: its mark, and if it is a reason not to release, the heading and
// what to do.
type Kind struct{ mark, heading, todo string }

// What holds, what was not checked and need not be, and the reasons not to release.
var (
	Holds   = Kind{mark: "✓ "}
	Noted   = Kind{mark: "• "}
	Altered = Kind{"✗ ", "ALTERED", "The bundle is not what was made. Get it again from where it was made, or make another " +
		"with petconform signoff."}
	NotOfThis = Kind{"✗ ", "A SIGNATURE IS NOT OF THIS BUNDLE", "Sign this bundle: the three lines are in petconform's README. " +
		"A signature counts for one bundle and one step."}
	NotListed = Kind{"✗ ", "A SIGNER IS NOT ALLOWED", "Have someone sign whom the file of allowed signers lets do it. Change that " +
		"file only if you know whose key it is."}
	NotSigned = Kind{"✗ ", "A SIGNATURE IS MISSING", "Two people have to sign: one who prepared the release, and one who approves it."}
	OnePerson = Kind{"✗ ", "ONE PERSON SIGNED TWICE", "Two different people have to prepare and approve, each with a key of their own."}
	NotThis   = Kind{"✗ ", "NOT WHAT IS TO BE RELEASED", "Take the bundle of the target and build that you release, or make one " +
		"with petconform signoff."}
	Unchecked = Kind{"? ", "NOT FULLY CHECKED", "What has a ? below could not be checked. Mend that and verify again."}
)

// refusals are in the order in which a reader has to know of them.
var refusals = []Kind{Altered, NotOfThis, NotListed, NotSigned, OnePerson, NotThis, Unchecked}

// Release is what is to be released. A member that is not given allows anything.
type Release struct {
	// Target is the base address of the service, and Build its build, as the bundle has to name them.
	Target, Build string
	// MaxAge is the longest time between Now and the start of the oldest run in the bundle.
	MaxAge time.Duration
	Now    time.Time
}

// clockDifference is how far the clock of the run may be ahead of Now: clocks that NTP keeps differ by less than
// seconds, others by minutes. A run from further in the future would never become too old.
const clockDifference = 5 * time.Minute

// release compares what the bundle is about with what is to be released.
func (v *Verification) release(want Release) {
	of := v.Results.Target
	for _, c := range []struct{ what, is, wanted string }{{"target", address(of.URL), address(want.Target)}, {"build", of.Build, want.Build}} {
		switch {
		case c.wanted == "":
		case c.is != c.wanted:
			v.add(NotThis, "the %s that was tested is %q, and %q is to be released", c.what, c.is, c.wanted)
		default:
			v.add(Holds, "the %s, %s", c.what, c.is)
		}
	}
	if want.MaxAge <= 0 {
		return
	}
	started, ended := v.Results.Started, v.Results.Ended
	age := want.Now.Sub(started).Round(time.Second)
	switch {
	case started.IsZero() || ended.IsZero():
		v.add(NotThis, "a run has no time, so its age is not known; at most %s is accepted", want.MaxAge)
	case age > want.MaxAge:
		v.add(NotThis, "the oldest run began %s ago, at %s; at most %s is accepted", age, safe.Time(started), want.MaxAge)
	case ended.Sub(want.Now) > clockDifference:
		v.add(NotThis, "the last run ended at %s, which is in the future; correct the clock of this machine", safe.Time(ended))
	default:
		v.add(Holds, "the age, %s of at most %s", max(age, 0), want.MaxAge)
	}
}

// address writes a base address in one way: without the default port, and with its host in lower case.
func address(raw string) string {
	u, err := client.ParseBase(raw)
	if err != nil {
		return raw
	}
	u.Host = strings.ToLower(strings.TrimSuffix(u.Host, map[string]string{"http": ":80", "https": ":443"}[u.Scheme]))
	return u.String()
}
