package reports

import (
	"strings"
	"testing"

	"petconform/reports/cause"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestOften: what shows now and then may be missed by the command that shows it again, and the card says so.
func TestOften(t *testing.T) {
	const often, note = "2 of 12 requests to listPets", ". Run it again several times"
	for _, shows := range []string{"", often} {
		k := &card{style: CardStyle{Width: 200}}
		k.example(cause.Place{Finding: verdict.Finding{Often: shows}}, nil)
		if strings.Contains(k.b.String(), often+note) != (shows != "") {
			t.Errorf("%q: %s", shows, k.b.String())
		}
	}
}

// TestSentLineOfAWrongBody: a body is called invalid JSON if it is, and not where a number is only too large for a double.
func TestSentLineOfAWrongBody(t *testing.T) {
	for body, invalid := range map[string]bool{`{"categoryId":01}`: true, `name=Rex`: true, `{"categoryId":1e400}`: false, `[1,`: true, `null`: false} {
		line := sentLine(exchange.Exchange{Request: exchange.Request{Method: "POST", Path: "/pets", Body: exchange.Body(body)}})
		if strings.Contains(line, "which is invalid JSON") != invalid {
			t.Errorf("%s: %s", body, line)
		}
	}
}
