package exchange_test

import (
	"bytes"
	"testing"

	"petconform/spec/exchange"
)

// Whatever a file holds, reading it gives a recording or an error, and a recording that was read can be written and read again.
func FuzzRead(f *testing.F) {
	const meta = `{"meta":{"format":"petconform/recording/1","kind":"check","target":"http://pets.example/v1","asOf":"2026-01-01T00:00:00Z"}}` + "\n"
	const one = `{"exchange":{"n":1,"check":"list-all","auth":"key","request":{"method":"GET","path":"/pets"},"response":{"status":200,"header":{"Content-Type":["application/json"]},"body":"[]","size":2},"sent":"2026-01-01T00:00:00Z","doneNs":5}}` + "\n"
	for _, seed := range []string{"", "{}", meta, meta + one, meta + one + `{"end":{"ended":"2026-01-01T00:00:01Z"}}`, one + meta, meta + one + `{"exch`,
		meta + `{"exchange":{"n":0}}`, meta + `{"exchange":{"n":2,"failure":{"kind":"closed"},"request":{"body":{"base64":"/w=="}}}}`, "null\nnull", meta + "null"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := exchange.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		w, err := exchange.NewWriter(&out, rec.Meta)
		for _, x := range rec.Exchanges {
			if err == nil {
				err = w.Write(x)
			}
		}
		if err == nil && rec.End != nil {
			err = w.End(*rec.End)
		}
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again, err := exchange.Read(&out)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		again.Torn = rec.Torn
		var first, second bytes.Buffer
		write(t, &first, rec)
		write(t, &second, again)
		if !bytes.Equal(first.Bytes(), second.Bytes()) || len(rec.Exchanges) != len(again.Exchanges) || !sameEnd(rec.End, again.End) {
			t.Errorf("read again, the recording differs:\n%s\n%s", first.Bytes(), second.Bytes())
		}
	})
}

func sameEnd(a, b *exchange.End) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Stopped == b.Stopped
}

func write(t *testing.T, out *bytes.Buffer, rec *exchange.Recording) {
	t.Helper()
	w, err := exchange.NewWriter(out, rec.Meta)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range rec.Exchanges {
		if err := w.Write(x); err != nil {
			t.Fatal(err)
		}
	}
}
