package clients

import (
	"slices"
	"strings"
	"testing"

	"petconform/spec/exchange"
)

// TestAKeyAsAName: a method or the name of a header that is a key is removed and told, and the run is judged.
func TestAKeyAsAName(t *testing.T) {
	res := judged(t, setting{}, func(d *desk) {
		p := d.program()
		p.list()
		p.do(strings.ToUpper(deskKey), "/pets", "")
		p.do("GET", "/pets", "", "X-"+deskKey, "yes")
		if one, two := d.all[1].Request, d.all[2].Request.Header; one.Method != exchange.Mask || two["X-[key]"] == nil && two[exchange.Mask] == nil {
			t.Errorf("the method is %q, and the header %q; %s is wanted", one.Method, two, exchange.Mask)
		}
	})
	if want := "2 requests had an API key as its method or in the name of a header; the recording has [key] in its place"; !slices.Contains(res.Warnings, want) {
		t.Errorf("%q is wanted in %q", want, res.Warnings)
	}
}

// TestAKeyInTheAddress: the key goes to logs with the address, which nothing in the interface forbids.
func TestAKeyInTheAddress(t *testing.T) {
	res := judged(t, setting{}, get("/pets?limit=5&access_token="+deskKey))
	if want := "1 request had a key in the address beside the bearer token, where logs keep it"; !holds(res) || !slices.Contains(res.Warnings, want) {
		t.Errorf("%q is wanted in %q; the run %s", want, res.Warnings, res.Verdict)
	}
}
