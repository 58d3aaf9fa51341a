package record

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
	"unsafe"
)

// usual is a record as a run makes millions of them.
func usual(i int) *Record {
	at := time.Duration(i) * 12345678
	return &Record{N: i + 1, Lane: i % 1000, Phase: Fill, Round: 1 + i%3, Role: Spend, Connection: i % 9, Other: i%7 == 0,
		Planned: at, Sent: at + 98765, FirstByte: 1234567 + time.Duration(i), Done: 1999999 + time.Duration(i), Status: 200 + 229*(i%2), Shape: i % 5,
		Limit: 60, Remaining: Number(i % 60), Reset: 1772600827, RetryAfter: Absent, Date: 1772600800}
}

func TestRecordsComeBackToTheNanosecond(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	var rs Records
	var want []Record
	for i := range 3 * pageSize {
		r := usual(i)
		if i%3 == 0 {
			r = odd(dice)
			r.N = i + 1
		}
		rs.add(r)
		want = append(want, *r)
	}
	if rs.Len() != len(want) {
		t.Fatalf("%d records were wanted, not %d", len(want), rs.Len())
	}
	i := 0
	for got := range rs.All() {
		if !reflect.DeepEqual(got, want[i]) {
			t.Fatalf("record %d: wanted %+v\ngot %+v", i, want[i], got)
		}
		i++
	}
}

func TestAUsualRecordTakes56Bytes(t *testing.T) {
	if size := unsafe.Sizeof(packed{}); size != 56 {
		t.Errorf("56 bytes were wanted for a record, not %d", size)
	}
	var rs Records
	for i := range 2 * pageSize {
		rs.add(usual(i))
	}
	if len(rs.whole) > 0 {
		t.Errorf("what is usual has to fit, and %d records did not: %+v", len(rs.whole), rs.whole)
	}
}
