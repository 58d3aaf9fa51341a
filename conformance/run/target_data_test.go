package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"petconform/conformance/proof"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
	"petconform/spec/reference/store"
	"petconform/spec/verdict"
)

// choosy refuses valid animals for a reason of its own: refuse gives the status, 0 to pass the request on. twin is asked whether an
// animal is valid; it has a store of its own.
type choosy struct {
	next, twin http.RoundTripper
	refuse     func(p spec.NewPet, created int) (status int, message string)
	created    atomic.Int32
}

func (c *choosy) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodPost {
		return c.next.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	again := func() *http.Request {
		r := r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(body))
		return r
	}
	resp, err := c.twin.RoundTrip(again())
	var p spec.NewPet
	if err != nil || resp.StatusCode != http.StatusCreated || json.Unmarshal(body, &p) != nil {
		return resp, err
	}
	status, message := c.refuse(p, int(c.created.Load()))
	if status == 0 {
		c.created.Add(1)
		return c.next.RoundTrip(again().WithContext(context.Background())) // sent when the twin got it
	}
	text, _ := json.Marshal(map[string]any{"code": "refused", "message": message, "status": status})
	resp.StatusCode, resp.Body, resp.ContentLength = status, io.NopCloser(bytes.NewReader(text)), int64(len(text))
	resp.Header.Del("Content-Length")
	return resp, nil
}

// TestTheTargetsOwnData: a category that does not exist on the target, or a quota, is no deviation, and told as what it is.
func TestTheTargetsOwnData(t *testing.T) {
	onlyCategory := func(exists int64, message string) func(spec.NewPet, int) (int, string) {
		return func(p spec.NewPet, _ int) (int, string) {
			if p.CategoryID != exists {
				return http.StatusBadRequest, message
			}
			return 0, ""
		}
	}
	quota := func(status int) func(spec.NewPet, int) (int, string) {
		return func(_ spec.NewPet, created int) (int, string) {
			if created >= 5 {
				return status, "No more animals."
			}
			return 0, ""
		}
	}
	for name, c := range map[string]struct {
		listed  int64 // the category of the animals that are there; 0 for an empty store
		given   int64
		refuse  func(spec.NewPet, int) (int, string)
		want    verdict.Run
		says    string
		accuses spec.ID
	}{
		"the category that is listed":                      {listed: 7, refuse: onlyCategory(7, "There is no such category."), want: verdict.Conforms},
		"an empty store without category 1":                {refuse: onlyCategory(7, "No."), want: verdict.NoVerdict, says: "--category-id"},
		"a listed category that is gone":                   {listed: 7, refuse: onlyCategory(8, "No such category."), want: verdict.NoVerdict, says: "--category-id"},
		"the category that was given":                      {given: 7, refuse: onlyCategory(7, "No."), want: verdict.Conforms},
		"a category that was given, refused":               {given: 1, refuse: onlyCategory(7, "No such category."), want: verdict.Deviates, accuses: "CREATE-1"},
		"a listed category refused for another reason":     {listed: 7, refuse: onlyCategory(8, "No."), want: verdict.Deviates, accuses: "CREATE-1"},
		"a quota, 507":                                     {listed: 1, refuse: quota(http.StatusInsufficientStorage), want: verdict.NoVerdict, says: "quota"},
		"a quota, 409":                                     {listed: 1, refuse: quota(http.StatusConflict), want: verdict.NoVerdict, says: "quota"},
		"a quota, 413":                                     {listed: 1, refuse: quota(http.StatusRequestEntityTooLarge), want: verdict.NoVerdict, says: "quota"},
		"a quota, 403":                                     {listed: 1, refuse: quota(http.StatusForbidden), want: verdict.NoVerdict, says: "quota"},
		"a quota, 400":                                     {listed: 1, refuse: quota(http.StatusBadRequest), want: verdict.NoVerdict, says: "quota"},
		"some animals refused with 403, which is no quota": {listed: 1, refuse: refused(spec.Sold, http.StatusForbidden), want: verdict.Deviates, accuses: "CREATE-1"},
		"some animals refused with 409, which is no quota": {listed: 1, refuse: refused(spec.Sold, http.StatusConflict), want: verdict.Deviates, accuses: "CREATE-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := againstChoosy(t, c.listed, c.given, c.refuse)
			if r.Verdict != c.want || !strings.Contains(r.Reasons.String(), c.says) {
				t.Errorf("%s is wanted, and %q said; it was %s: %v", c.want, c.says, r.Verdict, r.Reasons)
			}
			for _, id := range r.Failed(spec.Must) {
				if id != c.accuses {
					t.Errorf("%s is accused: %v", id, r.Reasons)
				}
			}
		})
	}
}

// refused refuses the animals with a status.
func refused(status spec.PetStatus, code int) func(spec.NewPet, int) (int, string) {
	return func(p spec.NewPet, _ int) (int, string) {
		if p.Status == status {
			return code, "No."
		}
		return 0, ""
	}
}

func againstChoosy(t *testing.T, listed, given int64, refuse func(spec.NewPet, int) (int, string)) verdict.Results {
	t.Helper()
	animals := store.New()
	if listed != 0 {
		animals.Add(spec.NewPet{Name: "Rex", CategoryID: listed, Status: spec.Available}, store.Sequential)
	}
	service, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "own", Secret: proof.Key, Plan: spec.Business}}, Store: animals})
	noError(t, err)
	r, _ := against(t, proof.Service{Through: func(twin http.RoundTripper) http.RoundTripper {
		return &choosy{next: inprocess.Transport{Handler: service}, twin: twin, refuse: refuse}
	}, Change: func(cfg *run.Config) { cfg.CategoryID = given }})
	return r
}
