package reports

import (
	"fmt"
	"testing"

	"petconform/reports/internal/test/sample"
)

// TestChain: of twelve runs the latest tells the nine before it, and since which one a check fails without a break.
func TestChain(t *testing.T) {
	var runs []Input
	for i := range 12 {
		r := sample.Good()
		if i == 2 || i >= 5 {
			r = sample.New()
		}
		r.Results.Run = fmt.Sprintf("r-%d", i)
		r.Results.Word = r.Results.InWords()
		runs = append(runs, Input{Results: r.Results, Recording: r.Recording})
	}
	out := Weigh(Input{Results: runs[11].Results, Recording: runs[11].Recording, Previous: Chain(runs[:11])})
	h := out.Results.History
	if len(h) != 9 || h[0].Run != "r-2" || h[8].Run != "r-10" || h[0].Broken != 3 || h[1].Broken != 0 || h[1].Word != "CONFORMS" || h[0].P99MS == 0 {
		t.Errorf("the history is %+v", h)
	}
	for _, c := range out.Results.Checks {
		if c.ID == "list-5" && (c.FailingSince == nil || c.FailingSince.Run != "r-5") {
			t.Errorf("list-5 fails since %+v; r-5 is wanted", c.FailingSince)
		}
	}
	data, err := Marshal(out.Results)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := ParseResults(data); err != nil || len(again.History) != 9 || again.History[0].Run != "r-2" {
		t.Errorf("read again: %v, %+v", err, again.History)
	}
}
