package record

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petconform/load/limiter"
	"petconform/spec/exchange"
)

var started = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func listed(status int, header http.Header, body string) *exchange.Exchange {
	return &exchange.Exchange{
		Request:  exchange.Request{Method: "GET", Path: "/pets?limit=1"},
		Response: &exchange.Response{Status: status, Proto: "HTTP/1.1", Header: header, Body: exchange.Body(body), Size: int64(len(body))},
		Sent:     started,
	}
}

// sample is a recording with usual and with odd responses.
func sample(t testing.TB) *Recording {
	t.Helper()
	rec := &Recording{Settings: Settings{Minute: time.Minute, Phases: []Phase{Headers, Fill}},
		Meta:  exchange.Meta{Format: Format, Kind: "load", Target: "http://pets.test/v1", Run: "r", Started: started},
		Lanes: []Lane{{Label: "Free", Plan: "Free", PerMinute: 60, PerDay: 1000}}}
	c := NewCollector(rec, nil)
	odd := []http.Header{
		{"Content-Type": {"application/json"}, "X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Remaining": {"59"}, "X-Ratelimit-Reset": {"1772600827"}, "Date": {"Wed, 04 Mar 2026 05:06:07 GMT"}, "X-Request-Id": {"a"}},
		{"Content-Type": {"application/json"}, "X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Remaining": {"58"}, "X-Ratelimit-Reset": {"1772600827"}, "Date": {"Wed, 04 Mar 2026 05:06:07 GMT"}, "X-Request-Id": {"b"}},
		{"Content-Type": {"application/json"}, "X-Ratelimit-Limit": {"60", "100"}, "X-Ratelimit-Remaining": {"many"}, "X-Ratelimit-Reset": {" 1772600827"}, "Date": {"yesterday"}},
		{"Content-Type": {"text/html"}, "X-Ratelimit-Remaining": {"-0"}, "Retry-After": {"Wed, 04 Mar 2026 05:07:07 GMT"}, "Date": {"Wed, 04 Mar 2026 05:06:07 GMT"}},
	}
	for i, h := range odd {
		x := listed([]int{200, 200, 200, 429}[i], h, "[]")
		x.Sent, x.FirstByte, x.Done = started.Add(time.Duration(i)*time.Second), time.Millisecond, 2*time.Millisecond
		if err := c.Add(&Record{Place: Place{Phase: Fill, Round: 1, Role: Spend}}, x); err != nil {
			t.Fatal(err)
		}
	}
	lost := &exchange.Exchange{Request: exchange.Request{Method: "GET", Path: "/pets"}, Failure: &exchange.Failure{Kind: exchange.Closed, Detail: "EOF"}, Sent: started}
	if err := c.Add(&Record{Place: Place{Phase: Fill, Round: 1, Role: Spend}, Other: true}, lost); err != nil {
		t.Fatal(err)
	}
	c.Note(Note{Phase: Recover, Why: "for the test"})
	rec.End = &exchange.End{Ended: started.Add(time.Minute)}
	return rec
}

func written(t *testing.T) string {
	t.Helper()
	var file strings.Builder
	if err := Write(&file, sample(t)); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

func TestRecordingComesBackAsItWasWritten(t *testing.T) {
	rec := sample(t)
	back, err := Read(strings.NewReader(written(t)))
	if err != nil {
		t.Fatal(err)
	}
	back.Meta.Settings = nil
	if !reflect.DeepEqual(rec, back) {
		t.Errorf("wanted %+v\ngot    %+v", rec, back)
	}
}

func TestAnswersAreKeptWhole(t *testing.T) {
	rec := sample(t)
	kinds := map[*exchange.Exchange]bool{}
	for _, r := range rec.Records {
		kinds[r.Like] = true
	}
	if len(kinds) != 3 {
		t.Errorf("answers that differ in headers share an exchange: want 3; got %d", len(kinds))
	}
	third := rec.Of(rec.Records[2])
	for name, want := range map[string]string{"X-Ratelimit-Limit": "60, 100", "X-Ratelimit-Remaining": "many", "X-Ratelimit-Reset": " 1772600827", "Date": "yesterday"} {
		if got := strings.Join(third.Response.Header[name], ", "); got != want {
			t.Errorf("%s: want %q unchanged; got %q", name, want, got)
		}
	}
	fourth := rec.Of(rec.Records[3])
	if h := fourth.Response.Header; h.Get("X-RateLimit-Remaining") != "-0" || h.Get("Content-Type") != "text/html" || h.Get("X-RateLimit-Limit") != "" {
		t.Errorf("a number in another spelling and no limit; got %v", h)
	}
	if wait := rec.Records[3].RetryAfter; wait != time.Minute {
		t.Errorf("an HTTP date in Retry-After: want a minute; got %s", wait)
	}
	if lost := rec.Of(rec.Records[4]); lost.Failure == nil || lost.Auth != exchange.OtherKey {
		t.Errorf("want a lost answer to the other key; got %+v", lost)
	}
}

// TestHeadersThatAreMissing: an exchange may lack a header that the first one like it has, and have one that the first one lacks.
func TestHeadersThatAreMissing(t *testing.T) {
	var file bytes.Buffer
	rec := &Recording{Meta: exchange.Meta{Started: started}, Settings: Settings{Minute: time.Minute}, Lanes: []Lane{{PerMinute: 60}}}
	headers := []http.Header{{"X-Ratelimit-Limit": {"60"}, "Date": {"Wed, 04 Mar 2026 05:06:07 GMT"}}, {"X-Ratelimit-Limit": {"60"}, "Link": {"<2>", "<3>"}}}
	c := NewCollector(rec, &file)
	for _, h := range headers {
		if err := c.Add(&Record{}, listed(200, h, "[]")); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, crafted := range []string{"null,", `"",`, `"X-Other\n1",`, `"Date","Date",`} {
		changed := strings.Replace(file.String(), `"headers":[`, `"headers":[`+crafted, 1)
		if _, err := Read(strings.NewReader(changed)); err == nil || !strings.Contains(err.Error(), "the file was changed") {
			t.Errorf("%s: want an error; got %v", crafted, err)
		}
	}
	back, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Recording{rec, back} {
		if r.Records[0].Like != r.Records[1].Like {
			t.Error("want one exchange for both")
		}
		for i, want := range headers {
			if x := r.Of(r.Records[i]); !reflect.DeepEqual(x.Response.Header, want) {
				t.Errorf("exchange %d: want %v; got %v", i+1, want, x.Response.Header)
			}
		}
		if r.Records[1].Date != limiter.Absent || r.Records[1].Limit != 60 {
			t.Errorf("want the limit and no date; got %+v", r.Records[1])
		}
	}
}

// TestWaitsBeyondWhatATimeHolds: they are the longest wait, and not one that an overflow makes.
func TestWaitsBeyondWhatATimeHolds(t *testing.T) {
	const at = "Wed, 04 Mar 2026 05:06:07 GMT"
	for after, reset := range map[string]string{"9223372036854775807": "9223372036854775807", "99999999999999999999": "-9223372036854775807"} {
		r := Record{Like: &exchange.Exchange{}}
		r.read(http.Header{"Retry-After": {after}, "X-Ratelimit-Reset": {reset}, "Date": {at}}, started, &date{})
		if wait, in := r.RetryAfter, r.ResetIn; wait != exchange.LongestWait || in.Abs() != exchange.LongestWait || (in < 0) != (reset[0] == '-') {
			t.Errorf("the waits are %s and %s; %s is wanted", wait, in, exchange.LongestWait)
		}
	}
}

// TestARecordIsWrittenSoon: a run that is killed lacks the records of the last 100 ms at most, also while no response comes.
func TestARecordIsWrittenSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var file bytes.Buffer
		c := NewCollector(&Recording{Meta: exchange.Meta{Started: started}, Lanes: []Lane{{PerMinute: 60}}}, &file)
		for i, row := range []struct {
			pause time.Duration
			lines int
		}{{0, 1}, {60 * time.Millisecond, 1}, {60 * time.Millisecond, 3}, {delay, 4}, {time.Second, 5}} {
			time.Sleep(row.pause)
			if synctest.Wait(); bytes.Count(file.Bytes(), []byte("\n")) != row.lines {
				t.Errorf("before record %d: want %d lines; got %s", i+1, row.lines, &file)
			}
			if err := c.Add(&Record{}, listed(200, nil, "[]")); err != nil {
				t.Error(err)
			}
		}
		if err := c.Flush(); err != nil || bytes.Count(file.Bytes(), []byte("\n")) != 6 {
			t.Errorf("at the end of a series (%v): want 6 lines; got %s", err, &file)
		}
	})
}

// TestWhatIsNotWrittenStopsTheRun: a run whose recording could not be written is not whole, by what it has in memory either.
func TestWhatIsNotWrittenStopsTheRun(t *testing.T) {
	file, err := os.Open(os.DevNull) // for reading
	if err != nil {
		t.Fatal(err)
	}
	rec := &Recording{}
	c := NewCollector(rec, file)
	if err := c.End(exchange.End{}); err == nil || !strings.Contains(rec.End.Stopped, "could not be written") {
		t.Errorf("%v, stopped by %q", err, rec.End.Stopped)
	}
}

// TestARecordingThatWouldBeTooLong ends the run before its file is longer than a report reads. Its end is written.
func TestARecordingThatWouldBeTooLong(t *testing.T) {
	var file bytes.Buffer
	rec := &Recording{Meta: exchange.Meta{Started: started}, Settings: Settings{Minute: time.Minute}, Lanes: []Lane{{PerMinute: 60}}}
	c := NewCollector(rec, &file)
	c.most = 1000
	for n := 1; ; n++ {
		if err := c.Add(&Record{}, listed(200, nil, "[]")); err != nil {
			if n == 1 || !strings.Contains(err.Error(), "larger than 256 MiB") {
				t.Errorf("request %d: %v", n, err)
			}
			break
		}
	}
	if err := c.End(exchange.End{Stopped: "by the collector"}); err == nil {
		t.Error("want the error again")
	}
	if back, err := Read(&file); err != nil || back.Through() || len(back.Records) != len(rec.Records) {
		t.Errorf("want the run until then, stopped; got %v", err)
	}
}

func TestTornAndDamagedRecordings(t *testing.T) {
	whole := written(t)
	torn, err := Read(strings.NewReader(whole[:len(whole)-20]))
	if err != nil || !torn.Torn || torn.Through() {
		t.Errorf("a recording that is cut off is torn: %v", err)
	}
	lines := strings.SplitAfter(whole, "\n")
	for name, text := range map[string]string{
		"empty":                "",
		"no meta":              strings.Join(lines[1:], ""),
		"another format":       strings.Replace(whole, Format, "petconform/recording/1", 1),
		"a line in the middle": strings.Replace(whole, lines[3], "{\"exchange\": oops\n", 1),
		"a record left out":    strings.Replace(whole, `{"exchange":{"n":2`, `{"exchange":{"n":9`, 1),
		"meta twice":           lines[0] + whole,
		"nothing known":        lines[0] + "{}\n",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

// TestFiguresThatCannotBeAreRefused checks that impossible figures, by which the judge would divide, are refused with their line.
func TestFiguresThatCannotBeAreRefused(t *testing.T) {
	whole := written(t)
	for _, c := range []struct{ from, to, want string }{
		{`"minuteNs":60000000000`, `"minuteNs":0`, "line 1: minuteNs is 0"},
		{`"minuteNs":60000000000`, `"minuteNs":-1`, "line 1: minuteNs is -1"},
		{`"perMinute":60`, `"perMinute":0`, `line 1: perMinute of the key "Free" is 0`},
		{`"perMinute":60`, `"perMinute":-60`, `perMinute of the key "Free" is -60`},
		{`"response":{"status":200`, `"response":{"status":0`, "exchange 1 has the status 0"},
		{`"response":{"status":200`, `"response":{"status":99`, "exchange 1 has the status 99"},
		{`"like":1`, `"like":9`, "exchange 2 is like exchange 9, which is not before it"},
		{`"like":1`, `"like":2`, "exchange 2 is like exchange 2, which is not before it"},
		{`"lane":0,"phase":"fill"`, `"lane":1,"phase":"fill"`, "the lane of exchange 1 is 1: it is from 0 to 0"},
		{`"firstByteNs":1000000`, `"firstByteNs":-1`, "firstByteNs of exchange 1 is -1"},
		{`"doneNs":2000000`, `"doneNs":1`, "these times are impossible"},
		{`"sent":"2026`, `"sent":"2028`, "a time of exchange 1 since the start of the run, in ns, is"},
	} {
		text := strings.Replace(whole, c.from, c.to, 1)
		if text == whole {
			t.Fatalf("%s is not in the recording:\n%s", c.from, whole)
		}
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with %q; got %v", c.to, c.want, err)
		}
	}
}

func TestMergeTakesEachShardOnce(t *testing.T) {
	shard := func(i, n int) *Recording {
		rec := sample(t)
		rec.Settings.Shard, rec.Settings.Shards = i, n
		rec.Meta.Run, rec.Lanes[0].Label = fmt.Sprintf("run-%d", i), fmt.Sprintf("Free, line %d", i+1)
		rec.Meta.Started = started.Add(time.Duration(i) * time.Second)
		return rec
	}
	all, err := Merge(shard(1, 2), shard(0, 2))
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Records) != 10 || len(all.Lanes) != 2 || all.Records[5].N != 6 || all.Records[5].Lane != 1 || all.Records[5].Sent != time.Second {
		t.Errorf("want both shards, the second a second later: %+v", all.Records[5])
	}
	changed := func(change func(*Recording)) *Recording {
		rec := shard(1, 2)
		change(rec)
		return rec
	}
	for name, parts := range map[string][]*Recording{
		"none": {}, "one missing": {shard(0, 2)}, "one twice": {shard(0, 2), shard(0, 2)}, "of more": {shard(0, 2), shard(1, 3)},
		"another target": {shard(0, 2), changed(func(r *Recording) { r.Meta.Target = "http://elsewhere.test/v1" })},
		"another build":  {shard(0, 2), changed(func(r *Recording) { r.Meta.Build = "1.1" })},
		"the reference":  {shard(0, 2), changed(func(r *Recording) { r.Meta.Reference = true })},
		"another minute": {shard(0, 2), changed(func(r *Recording) { r.Settings.Minute *= 2 })},
		"whole runs":     {shard(0, 0), shard(0, 0)},
	} {
		if _, err := Merge(parts...); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}
