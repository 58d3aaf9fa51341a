package verdict

import (
	"fmt"
	"slices"
	"strings"

	"petconform/spec"
)

// Reason is a reason for the verdict of a run: a requirement that is broken or was not decided, or something about the
// run itself. It is written as its sentence.
type Reason struct {
	// Requirement is "" and Verdict "" if the reason is about the run itself.
	Requirement spec.ID
	Verdict     Verdict
	Sentence    string
}

// Reasons are the reasons for the verdict of a run, most important first.
type Reasons []Reason

// Because returns reasons that are about the run itself.
func Because(sentences ...string) Reasons {
	all := make(Reasons, len(sentences))
	for i, s := range sentences {
		all[i].Sentence = s
	}
	return all
}

func (r Reason) MarshalText() ([]byte, error) { return []byte(r.Sentence), nil }

// UnmarshalText takes a reason from its sentence alone.
func (r *Reason) UnmarshalText(sentence []byte) error {
	*r = Reason{Sentence: string(sentence)}
	return nil
}

// String returns the sentences in one line.
func (all Reasons) String() string {
	words := make([]string, len(all))
	for i, r := range all {
		words[i] = r.Sentence
	}
	return strings.Join(words, "; ")
}

// reason is the reason that a requirement gives a run by its verdict.
func (q Requirement) reason() Reason {
	r := Reason{q.ID, q.Verdict, fmt.Sprintf("%s was not tested: %s", q.ID, q.Reason)}
	switch q.Verdict {
	case Failed:
		r.Sentence = fmt.Sprintf("%s (%s): %s", q.ID, q.Clause, q.Statement)
	case Inconclusive:
		r.Sentence = fmt.Sprintf("%s is inconclusive: %s", q.ID, q.Reason)
	}
	return r
}

// NothingJudged reports whether nothing was judged: there was no service, or the run ended before it sent anything. The
// reasons of r say why, and nothing else is known.
func (r Results) NothingJudged() bool { return len(r.Checks) == 0 }

// OpenReasons returns the reasons of r that its failures do not already give: what made the run incomplete, and each
// inconclusive requirement. It leaves out a requirement if each of its inconclusive checks is in hidden, the checks
// that are inconclusive because of a failure.
func (r Results) OpenReasons(hidden []string) Reasons {
	return slices.DeleteFunc(slices.Clone(r.Reasons), func(why Reason) bool {
		i := slices.IndexFunc(r.Requirements, func(q Requirement) bool { return q.ID == why.Requirement })
		if why.Verdict != Inconclusive || i < 0 || len(r.Requirements[i].Checks) == 0 {
			return why.Verdict == Failed
		}
		return !slices.ContainsFunc(r.Checks, func(c Check) bool {
			return c.Verdict == Inconclusive && slices.Contains(r.Requirements[i].Checks, c.ID) && !slices.Contains(hidden, c.ID)
		})
	})
}
