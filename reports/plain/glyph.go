package plain

import "petconform/spec/verdict"

// Glyph is the sign that stands beside a verdict's word wherever it is shown, so that colour is never the only one.
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
