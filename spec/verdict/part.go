package verdict

import (
	"fmt"
	"strings"
)

// Part says how far a run reached that was told to leave something out (--only, --skip, --read-only). Such a run never
// conforms: what it left out may be broken.
type Part struct {
	// Musts are all that a whole run is held against (see Tally); Hold, Broken and Untold are what this run says of them, and
	// NotJudged are the others.
	Musts     int `json:"musts"`
	Hold      int `json:"hold"`
	Broken    int `json:"broken"`
	Untold    int `json:"untold"`
	NotJudged int `json:"notJudged"`
	// Holds says that all that was selected was judged, and that nothing of it is broken.
	Holds bool `json:"holds"`
	// Accepted says that the run was asked to end well when the part holds (--accept-part).
	Accepted bool `json:"accepted,omitempty"`
}

// part counts what a part of a run has judged. A failure counts as broken also when it is waived.
func (r Results) part(holds bool) *Part {
	t := r.Tally()
	return &Part{Musts: t.Musts, Hold: t.Hold, Broken: t.Broken + t.Waived, Untold: t.Untold,
		NotJudged: t.NotJudged + t.NotApplicable, Holds: holds}
}

// String tells the part in one line.
func (p Part) String() string {
	s := fmt.Sprintf("PART: %d of %d musts hold, %d broken", p.Hold, p.Musts, p.Broken)
	if p.Untold > 0 {
		s += fmt.Sprintf(", %d could not be told", p.Untold)
	}
	return s
}

// InWords is the verdict as every output of a run writes it. Of a part that holds it is the part alone, since the run as a
// whole has neither conformed nor failed.
func (r Results) InWords() string {
	word := strings.ToUpper(string(r.Verdict))
	if r.Verdict != Conforms && r.Verdict != Deviates {
		word = strings.ToUpper(string(NoVerdict))
	}
	switch {
	case r.Part == nil:
		return word
	case r.Part.Holds:
		return r.Part.String()
	}
	return word + ", " + r.Part.String()
}
