package record

import (
	"iter"
	"math"
	"slices"
	"time"
)

// Records are the requests of a run, in the order of their ends. There may be millions of them in memory, so each takes 56 bytes
// without pointers. A record that does not fit, with a response after 3 s for example, is kept as it is: nothing is rounded.
type Records struct {
	pages [][]packed
	whole map[int]Record
}

// pageSize is the number of records of a page. A growing slice would be copied; a page is not.
const pageSize = 1024

// Len is how many records there are.
func (rs *Records) Len() int {
	if len(rs.pages) == 0 {
		return 0
	}
	last := len(rs.pages) - 1
	return last*pageSize + len(rs.pages[last])
}

// At gives record i, counted from 0, whose number is i+1.
func (rs *Records) At(i int) Record {
	if r, ok := rs.whole[i]; ok {
		return r
	}
	r := rs.pages[i/pageSize][i%pageSize].record()
	r.N = i + 1
	return r
}

// All gives every record.
func (rs *Records) All() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for i := range rs.Len() {
			if !yield(rs.At(i)) {
				return
			}
		}
	}
}

// add appends a record. Its number must be the next one.
func (rs *Records) add(r *Record) {
	last := len(rs.pages) - 1
	if last < 0 || len(rs.pages[last]) == pageSize {
		rs.pages = append(rs.pages, make([]packed, 0, pageSize))
		last++
	}
	p, fits := pack(r)
	if !fits {
		if rs.whole == nil {
			rs.whole = map[int]Record{}
		}
		rs.whole[rs.Len()], p = *r, packed{}
	}
	rs.pages[last] = append(rs.pages[last], p)
}

// packed is a record in 56 bytes, without its number.
type packed struct {
	planned                             time.Duration
	lag, first, done                    int32 // nanoseconds
	limit, remaining, reset, wait, date uint32
	lane, shape                         uint32
	status, round                       uint16
	phase, role, connection             uint8
	other                               bool
}

// absent is Absent in 32 bits.
const absent = math.MaxUint32

var (
	phaseCodes = Phases()
	roleCodes  = []Role{Look, Spend, Probe, AtReset, Press, Control, Beside, Search}
)

// pack is false if something would be lost.
func pack(r *Record) (p packed, fits bool) {
	fits = r.Header == nil && r.Repeats == 0
	p = packed{
		planned: r.Planned, lag: narrow[int32](r.Lag(), &fits), first: narrow[int32](r.FirstByte, &fits), done: narrow[int32](r.Done, &fits),
		limit: r.Limit.narrow(&fits), remaining: r.Remaining.narrow(&fits), reset: r.Reset.narrow(&fits),
		wait: r.RetryAfter.narrow(&fits), date: r.Date.narrow(&fits),
		lane: narrow[uint32](r.Lane, &fits), shape: narrow[uint32](r.Shape, &fits),
		status: narrow[uint16](r.Status, &fits), round: narrow[uint16](r.Round, &fits),
		phase: narrow[uint8](slices.Index(phaseCodes, r.Phase), &fits), role: narrow[uint8](slices.Index(roleCodes, r.Role), &fits),
		connection: narrow[uint8](r.Connection, &fits), other: r.Other,
	}
	return p, fits
}

// narrow clears fits when n is no T.
func narrow[T int32 | uint32 | uint16 | uint8, N ~int | ~int64](n N, fits *bool) T {
	*fits = *fits && N(T(n)) == n
	return T(n)
}

func (n Number) narrow(fits *bool) uint32 {
	if !n.Known() {
		return absent
	}
	*fits = *fits && n != absent
	return narrow[uint32](n, fits)
}

func widen(n uint32) Number {
	if n == absent {
		return Absent
	}
	return Number(n)
}

func (p *packed) record() Record {
	return Record{
		Lane: int(p.lane), Phase: phaseCodes[p.phase], Round: int(p.round), Role: roleCodes[p.role], Other: p.other,
		Connection: int(p.connection),
		Planned:    p.planned, Sent: p.planned + time.Duration(p.lag), FirstByte: time.Duration(p.first), Done: time.Duration(p.done),
		Status: int(p.status), Shape: int(p.shape),
		Limit: widen(p.limit), Remaining: widen(p.remaining), Reset: widen(p.reset), RetryAfter: widen(p.wait), Date: widen(p.date),
	}
}
