package decision

import "petconform/spec/verdict"

// Mark is what is shown with a word, so that colour is never the only sign. Class is good, bad, mind (needs attention)
// or none.
type Mark struct{ Glyph, Class string }

var marks = map[any]Mark{
	verdict.Passed: {"✓", "good"}, verdict.Failed: {"✗", "bad"}, verdict.Waived: {"≈", "mind"}, verdict.Inconclusive: {"?", "mind"},
	verdict.NotRun: {"–", "none"}, verdict.Observed: {"○", "none"}, verdict.NotApplicable: {"–", "none"},
	Release: {"✓", "good"}, ReleaseWithWaivers: {"≈", "mind"}, DoNotRelease: {"✗", "bad"}, NoVerdict: {"?", "mind"},
}

// MarkOf returns the mark of a verdict.Verdict or a Word.
func MarkOf(word any) Mark {
	if m, known := marks[word]; known {
		return m
	}
	return Mark{"?", "none"}
}

// Mark is that of the word; that of a part which holds and was accepted is good.
func (d Decision) Mark() Mark {
	if d.Accepted() {
		return MarkOf(verdict.Passed)
	}
	return MarkOf(d.Word)
}
