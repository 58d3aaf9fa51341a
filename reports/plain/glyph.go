package plain

import "petconform/spec/verdict"

// Glyph returns the sign that is shown with a verdict, so that colour is never the only sign.
func Glyph(v verdict.Verdict) string {
	switch v {
	case verdict.Passed:
		return "✓"
	case verdict.Failed:
		return "✗"
	case verdict.Inconclusive:
		return "?"
	case verdict.Waived:
		return "≈"
	case verdict.Observed:
		return "○"
	case verdict.NotRun:
		return "–"
	}
	return "·"
}
