package store

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"petconform/spec"
)

func fill(t *testing.T, s *Store, assign func(uint64) int64) []spec.Pet {
	t.Helper()
	var all []spec.Pet
	for _, p := range []spec.NewPet{
		{Name: "Ada", CategoryID: 1, Status: spec.Sold}, {Name: "", CategoryID: -1}, {Name: "犬 🐕", CategoryID: 1<<63 - 1, Status: spec.Available},
		{Name: strings.Repeat("x", 5000), CategoryID: -1 << 63, Status: spec.Sold}, {Name: "Emil\x00", CategoryID: 1<<53 + 1, Status: spec.Pending}, {Name: "Fips", Status: spec.Sold},
	} {
		pet := s.Add(p, assign)
		if pet.NewPet != p {
			t.Fatalf("want %+v, which was added, got %+v", p, pet)
		}
		all = append(all, pet)
	}
	return all
}

func TestListing(t *testing.T) {
	s := New()
	all := fill(t, s, func(n uint64) int64 { return 1<<62 - int64(n)*7 })
	for _, row := range []struct {
		name string
		q    Query
		want []int
	}{
		{"all", Query{}, []int{0, 1, 2, 3, 4, 5}},
		{"the first two", Query{Limit: 2}, []int{0, 1}},
		{"more than there are", Query{Limit: 100}, []int{0, 1, 2, 3, 4, 5}},
		{"sold", Query{Status: spec.Sold}, []int{0, 3, 5}},
		{"the first two sold", Query{Status: spec.Sold, Limit: 2}, []int{0, 3}},
		{"pending", Query{Status: spec.Pending}, []int{4}},
		{"no such status", Query{Status: "sol"}, nil},
	} {
		got := s.List(row.q)
		var want []spec.Pet
		for _, i := range row.want {
			want = append(want, all[i])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: want %+v, got %+v", row.name, want, got)
		}
	}
	for _, p := range all {
		if got, found := s.Get(p.ID); got != p || !found {
			t.Errorf("want %+v, got %+v", p, got)
		}
	}
	if _, found := s.Get(1); found {
		t.Error("want no animal")
	}
}

func TestAddingAtTheSameTime(t *testing.T) {
	s := New()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 40 {
				s.Add(spec.NewPet{Name: "x", Status: spec.Sold}, Sequential)
				if n := len(s.List(Query{Status: spec.Sold, Limit: 3})); n == 0 {
					t.Error("an animal was added, and none is listed")
				}
			}
		})
	}
	all.Wait()
	ids := map[int64]bool{}
	for _, p := range s.List(Query{}) {
		ids[p.ID] = true
	}
	if n := s.Len(); len(ids) != 320 || n != 320 {
		t.Errorf("want 320 animals, got %d ids, the length is %d", len(ids), n)
	}
}
