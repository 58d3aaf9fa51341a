package explore_test

import (
	"bytes"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/reference/freedoms"
)

// A lawful service gets no finding, with any freedom.
func TestLawfulServices(t *testing.T) {
	variants := []string{""}
	for _, f := range long.Freedoms(t, freedoms.All()) {
		variants = append(variants, f.Name)
	}
	for i, freedom := range variants {
		t.Run("freedom="+freedom, func(t *testing.T) {
			t.Parallel()
			cfg := explore.Config{Requests: 120, Creates: 50, Meta: exchange.Meta{Seed: uint64(i)}}
			service := reference.Config{Freedoms: []string{freedom}}
			switch {
			case freedom == "":
				service.Freedoms, cfg.Requests, cfg.Creates = nil, 600, 200
			case strings.HasSuffix(freedom, "lags"), freedom == "misses-cached-briefly":
				cfg.Requests, cfg.Meta.Patience = 30, 3*time.Second // twice as long as it lags
			}
			for _, f := range run(t, serve(t, service), cfg).findings() {
				t.Errorf("%s: got a finding of %s: %s, expected %s, actual %s", freedom, f.Requirement, f.Message, f.Expected, f.Actual)
			}
		})
	}
}

// The budgets hold while failures are shrunk, an allowance is spent and requests are sent at the same time.
func TestBudgets(t *testing.T) {
	small := []reference.Key{{Name: "small", Secret: key, Plan: spec.Plan{Name: "Free", PerMinute: 60, PerDay: 100_000}}}
	for _, c := range []struct {
		about             string
		requests, creates int
		service           reference.Config
	}{
		{"nothing may be sent", 0, 10, reference.Config{}},
		{"too few for a single call", 7, 10, reference.Config{}},
		{"few", 40, 10, reference.Config{}},
		{"few animals", 300, 3, reference.Config{}},
		{"shrinking", 200, 20, reference.Config{Deviations: []string{"deep-same-body-same-animal"}}},
		{"shrinking what is not there", 200, 20, reference.Config{Deviations: []string{"store-keeps-the-last-fifteen"}}},
		{"bodies that are wrongly accepted", 200, 12, reference.Config{Deviations: []string{"create-namesakes-refused", "deep-smallest-category"}}},
		{"a small plan", 130, 20, reference.Config{Keys: small, Minute: 2 * time.Second, Day: time.Hour}},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			e := run(t, serve(t, c.service), explore.Config{Requests: c.requests, Creates: c.creates, Meta: exchange.Meta{Seed: 3}})
			if n := len(e.recording.Exchanges); n > c.requests || n != e.report.Requests {
				t.Errorf("%d requests were sent and %d reported, at most %d were allowed", n, e.report.Requests, c.requests)
			}
			if n := len(e.history.Created()); n > c.creates || n > e.report.Creates {
				t.Errorf("%d animals were created and %d reported, at most %d were allowed", n, e.report.Creates, c.creates)
			}
			if c.requests >= 40 && c.creates >= 10 && e.report.Requests < c.requests/2 {
				t.Errorf("%d of %d requests were sent: the budget is there to be used", e.report.Requests, c.requests)
			}
		})
	}
}

// However late a failure is met, creations are left to show it again.
func TestALateFailureIsShownAgain(t *testing.T) {
	for sound := 40; sound < 64; sound += 4 {
		e := run(t, failsFrom(sound, serve(t, reference.Config{})), explore.Config{Requests: 600, Creates: 64})
		cards := explore.Cards(e.history)
		if sound < 50 && len(cards) == 0 {
			t.Errorf("64 creations, the first %d succeed: the exploration does not find it", sound)
		}
		if len(cards) > 0 && !slices.ContainsFunc(cards, func(c explore.Card) bool { return c.Shortest }) {
			t.Errorf("64 creations, the first %d succeed: no creation was left to show the failure", sound)
		}
	}
}

// failsFrom answers creations after the first ones with an empty object.
func failsFrom(first int, target http.RoundTripper) http.RoundTripper {
	var created atomic.Int64
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		resp, err := target.RoundTrip(r)
		if err != nil || resp.StatusCode != http.StatusCreated {
			return resp, err
		}
		if created.Add(1) > int64(first) {
			resp.Body, resp.ContentLength = io.NopCloser(strings.NewReader("{}")), 2
			resp.Header.Set("Content-Length", "2")
		}
		return resp, err
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Without creations nothing is posted, and getPet is not called after its removal.
func TestWhatIsLeftAlone(t *testing.T) {
	service := reference.Config{Freedoms: []string{"some-animals"}}
	for _, x := range run(t, serve(t, service), explore.Config{Requests: 200}).recording.Exchanges {
		if x.Request.Method != http.MethodGet {
			t.Fatalf("exchange %d is %s %s, though nothing may be created", x.N, x.Request.Method, x.Request.Path)
		}
	}
	later := exchange.Meta{AsOf: spec.Removal.AddDate(0, 0, 1)}
	for _, x := range run(t, serve(t, service), explore.Config{Requests: 200, Creates: 20, Meta: later}).recording.Exchanges {
		if x.Operation == spec.GetPet {
			t.Fatalf("exchange %d is %s, though getPet is removed", x.N, x.Request.Path)
		}
	}
}

// If every listing is full, none can show that an animal is missing, and the exploration does not claim that requirement.
func TestProvesWhatItLookedAt(t *testing.T) {
	proved := func(freedoms ...string) []spec.ID {
		e := run(t, serve(t, reference.Config{Freedoms: freedoms}), explore.Config{Requests: 300, Creates: 60, Meta: exchange.Meta{Patience: time.Millisecond}})
		return explore.Judge(e.history).Requirements
	}
	if few := proved(); !slices.Contains(few, "LIST-11") || !slices.Contains(few, "GET-3") || !slices.Contains(few, "CREATE-12") {
		t.Errorf("with few animals LIST-11, GET-3 and CREATE-12 are to be proved, these are: %v", few)
	}
	if many := proved("many-animals"); slices.Contains(many, "LIST-11") || slices.Contains(many, "CREATE-12") || !slices.Contains(many, "GET-3") {
		t.Errorf("with more than a hundred animals GET-3 is to be proved, LIST-11 and CREATE-12 are not; these are: %v", many)
	}
}

// The same seed sends the same requests, and another seed other requests.
func TestSeed(t *testing.T) {
	sent := func(seed uint64) []string {
		e := run(t, serve(t, reference.Config{}), explore.Config{Requests: 150, Creates: 60, Meta: exchange.Meta{Seed: seed}})
		var all []string
		for _, x := range e.recording.Exchanges {
			all = append(all, x.Step+" "+x.Request.Method+" "+string(x.Request.Body))
		}
		slices.Sort(all) // requests side by side may come in either order
		return slices.Compact(all)
	}
	first, second, other := sent(11), sent(11), sent(12)
	n := min(len(first), len(second)) * 9 / 10 // a poll more or less moves the end
	same := 0
	for _, s := range first {
		if slices.Contains(second, s) {
			same++
		}
	}
	if same < n {
		t.Errorf("of %d requests with one seed, %d come again with the same seed", len(first), same)
	}
	if slices.Equal(first, other) {
		t.Error("another seed sends the same")
	}
}

// A recording that is written and read again gives the same verdict and the same cards.
func TestJudgedFromTheRecording(t *testing.T) {
	e := run(t, serve(t, reference.Config{Deviations: []string{"deep-same-body-same-animal"}}), explore.Config{Requests: 300, Creates: 100, Meta: exchange.Meta{Seed: 1}})
	var file bytes.Buffer
	w, err := exchange.NewWriter(&file, e.recording.Meta)
	for _, x := range e.recording.Exchanges {
		err = w.Write(x)
	}
	if err != nil {
		t.Fatal(err)
	}
	again, err := exchange.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	h := history.Of(again)
	if got, want := explore.Judge(h), explore.Judge(e.history); !reflect.DeepEqual(got, want) {
		t.Errorf("read again, the recording is judged\n%+v, not\n%+v", got, want)
	}
	got, want := explore.Cards(h), explore.Cards(e.history)
	if len(want) == 0 || len(got) != len(want) || got[0].String() != want[0].String() || got[0].Script != want[0].Script {
		t.Errorf("read again, the recording has the cards\n%v, not\n%v", got, want)
	}
}
