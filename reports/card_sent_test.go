package reports

import (
	"strings"
	"testing"

	"petconform/spec/exchange"
)

// TestSentLineOfAWrongBody: a body is called invalid JSON if it is, and not where a number is only too large for a double.
func TestSentLineOfAWrongBody(t *testing.T) {
	for body, invalid := range map[string]bool{`{"categoryId":01}`: true, `name=Rex`: true, `{"categoryId":1e400}`: false, `[1,`: true, `null`: false} {
		line := sentLine(exchange.Exchange{Request: exchange.Request{Method: "POST", Path: "/pets", Body: exchange.Body(body)}})
		if strings.Contains(line, "which is invalid JSON") != invalid {
			t.Errorf("%s: %s", body, line)
		}
	}
}
