package safe

import (
	"strings"
	"testing"
)

func TestDiffer(t *testing.T) {
	for _, row := range []struct{ expected, actual, wanted, came string }{
		{"status 200", "status 400", "200", "400"},
		{"404, the HTTP status", "400, the HTTP status", "404", "400"},
		{"Bearer", "no such header", "", ""},
		{"the same", "the same", "", ""},
		{"20 animals", "20 animals and 3 more", "", " and 3 more"},
		{"status 201", `status 200: {"id":"7"}`, "201", "200"},
	} {
		d := differ(row.expected, row.actual)
		if d.Wanted[1] != row.wanted || d.Came[1] != row.came || strings.Join(d.Wanted[:], "") != row.expected || strings.Join(d.Came[:], "") != row.actual {
			t.Errorf("%q, %q: %q, %q", row.expected, row.actual, d.Wanted, d.Came)
		}
		if where := d.Where(); where != "" {
			t.Errorf("%q and %q are short, and still: %s", row.expected, row.actual, where)
		}
	}
	same := strings.Repeat("the same words ", 10)
	if got, want := differ(same+"é end", same+"e end").Where(), `after …me words the same words : "é" was expected, "e" came`; got != want {
		t.Errorf("%q; %q is wanted", got, want)
	}
}
