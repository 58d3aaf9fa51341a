package judge

import "testing"

// TestParseReport: results without a load have an empty report, and a block of another layout is not read.
func TestParseReport(t *testing.T) {
	for _, none := range []string{"", "null"} {
		if r, err := ParseReport([]byte(none)); err != nil || r.Schema != "" {
			t.Errorf("%q: %+v, %v", none, r, err)
		}
	}
	for _, wrong := range []string{"[]", "{}", `{"schema":"petconform/load/0"}`} {
		if r, err := ParseReport([]byte(wrong)); err == nil || len(r.Plans) > 0 {
			t.Errorf("%s was read as %+v", wrong, r)
		}
	}
	if r, err := ParseReport([]byte(`{"schema":"` + ReportSchema + `","minuteS":2}`)); err != nil || r.MinuteS != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}
