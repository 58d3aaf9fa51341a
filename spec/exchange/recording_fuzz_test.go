package exchange_test

import (
	"bytes"
	"errors"
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
		once := written(t, rec)
		again, err := exchange.Read(bytes.NewReader(once))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if twice := written(t, again); !bytes.Equal(once, twice) || len(rec.Exchanges) != len(again.Exchanges) {
			t.Errorf("read again, the recording differs:\n%s\n%s", once, twice)
		}
	})
}

func written(t *testing.T, rec *exchange.Recording) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := exchange.NewWriter(&out, rec.Meta)
	for _, x := range rec.Exchanges {
		err = errors.Join(err, w.Write(x))
	}
	if rec.End != nil {
		err = errors.Join(err, w.End(*rec.End))
	}
	if err != nil {
		t.Fatalf("what was read cannot be written: %v", err)
	}
	return out.Bytes()
}
