package invalid_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/invalid"
	"petconform/spec/strictjson"
)

// breaks returns the requirement that a service breaks if it accepts a body, by the schema of a NewPet.
func breaks(text string) spec.ID {
	body := strings.NewReplacer("%n", `"Rex \"R.\""`, "%c", "7").Replace(text)
	x := history.ReadExchange(exchange.Exchange{Request: exchange.Request{Method: "POST", Path: "/pets", Body: []byte(body)}})
	sent := x.Posted()
	if sent.Malformed != nil || sent.Value.Kind != '{' {
		return "CREATE-11"
	}
	members, wrong := map[string]any{}, map[string]bool{}
	in := json.NewDecoder(bytes.NewReader(strictjson.Append(nil, sent.Value)))
	in.UseNumber()
	if err := in.Decode(&members); err != nil {
		return "CREATE-11"
	}
	for name, schema := range spec.Document().Components.Schemas["NewPet"].Value.Properties {
		v, has := members[name]
		wrong[name] = has && schema.Value.VisitJSON(v) != nil
	}
	_, named := members["name"]
	category := sent.Value.Member("categoryId")
	_, err := strconv.ParseInt(history.Whole(category), 10, 64)
	switch {
	case !named:
		return "CREATE-6"
	case wrong["name"]:
		return "CREATE-8"
	case category.Kind == 0:
		return "CREATE-7"
	case wrong["categoryId"] || err != nil:
		return "CREATE-9"
	case wrong["status"]:
		return "CREATE-10"
	}
	return ""
}

// TestWhatBodiesBreak: the table says of each body what the schema makes of it. The checks judge by the table.
func TestWhatBodiesBreak(t *testing.T) {
	for _, id := range []spec.ID{"CREATE-6", "CREATE-7", "CREATE-8", "CREATE-9", "CREATE-10", "CREATE-11"} {
		quick, full := invalid.Bodies(id)
		if len(quick) == 0 {
			t.Errorf("%s has no body", id)
		}
		for _, b := range slices.Concat(quick, full) {
			if got := breaks(b.Text); got != id {
				t.Errorf("%s breaks %q, and the table says %s", b.Text, got, id)
			}
		}
	}
	for _, text := range []string{`{"name":%n,"categoryId":%c}`, `{"name":%n,"categoryId":%c.0}`, `{"name":"","categoryId":%c}`} {
		if got := breaks(text); got != "" {
			t.Errorf("%s may be accepted, and breaks %s", text, got)
		}
	}
}
