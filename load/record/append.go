package record

import (
	"encoding/json"
	"strconv"
)

// appendRecord appends the line of a record: to the byte what encoding/json makes of it, at a tenth of the time. There is
// one for every request, while the next ones wait.
func appendRecord(b []byte, r *Record) ([]byte, error) {
	b = append(b, `{"record":{`...)
	b = appendInt(b, `"n":`, r.N)
	b = appendInt(b, `,"lane":`, r.Lane)
	b = appendWord(b, `,"phase":`, string(r.Phase))
	b = appendInt(b, `,"round":`, r.Round)
	b = appendWord(b, `,"role":`, string(r.Role))
	if r.Other {
		b = append(b, `,"other":true`...)
	}
	b = appendUnlessZero(b, `,"connection":`, r.Connection)
	b = appendUnlessZero(b, `,"attempt":`, r.Attempt)
	b = appendInt(b, `,"plannedNs":`, r.Planned)
	b = appendInt(b, `,"sentNs":`, r.Sent)
	b = appendInt(b, `,"firstByteNs":`, r.FirstByte)
	b = appendInt(b, `,"doneNs":`, r.Done)
	b = appendUnlessZero(b, `,"status":`, r.Status)
	b = appendInt(b, `,"shape":`, r.Shape)
	b = appendKnown(b, `,"limit":`, r.Limit)
	b = appendKnown(b, `,"remaining":`, r.Remaining)
	b = appendKnown(b, `,"reset":`, r.Reset)
	b = appendKnown(b, `,"retryAfter":`, r.RetryAfter)
	b = appendKnown(b, `,"date":`, r.Date)
	if len(r.Header) > 0 { // seldom: a limit header that is no plain number
		header, err := json.Marshal(r.Header)
		if err != nil {
			return nil, err
		}
		b = append(append(b, `,"header":`...), header...)
	}
	return append(b, '}', '}', '\n'), nil
}

func appendInt[T ~int | ~int64](b []byte, name string, n T) []byte {
	return strconv.AppendInt(append(b, name...), int64(n), 10)
}

func appendUnlessZero(b []byte, name string, n int) []byte {
	if n == 0 {
		return b
	}
	return appendInt(b, name, n)
}

func appendKnown(b []byte, name string, n Number) []byte {
	if !n.Known() {
		return b
	}
	return appendInt(b, name, n)
}

// appendWord appends the name of a phase or a role. A word that is none of ours may need escapes.
func appendWord(b []byte, name, word string) []byte {
	b = append(b, name...)
	for _, c := range []byte(word) {
		if (c < 'a' || c > 'z') && c != '-' {
			quoted, _ := json.Marshal(word) // a string always has a form in JSON
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, word...)
	return append(b, '"')
}
