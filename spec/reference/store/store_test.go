package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"petconform/spec"
)

// stores runs a test on an empty store of each kind.
func stores(t *testing.T, test func(t *testing.T, s Store)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, Memory()) })
	t.Run("durable", func(t *testing.T) {
		s, err := Open(filepath.Join(t.TempDir(), "pets.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}()
		test(t, s)
	})
}

func fill(t *testing.T, s Store, assign func(uint64) int64) []spec.Pet {
	t.Helper()
	var all []spec.Pet
	for _, p := range []spec.NewPet{
		{Name: "Ada", CategoryID: 1, Status: spec.Sold}, {Name: "", CategoryID: -1}, {Name: "犬 🐕", CategoryID: 1<<63 - 1, Status: spec.Available},
		{Name: strings.Repeat("x", 5000), CategoryID: -1 << 63, Status: spec.Sold}, {Name: "Emil\x00", CategoryID: 1<<53 + 1, Status: spec.Pending}, {Name: "Fips", Status: spec.Sold},
	} {
		pet, err := s.Add(p, assign)
		if err != nil || pet.NewPet != p {
			t.Fatalf("want %+v, which was added, got %+v: %v", p, pet, err)
		}
		all = append(all, pet)
	}
	return all
}

func TestListing(t *testing.T) {
	stores(t, func(t *testing.T, s Store) {
		all := fill(t, s, func(n uint64) int64 { return 1<<62 - int64(n)*7 })
		for _, row := range []struct {
			name string
			q    Query
			want []int
		}{
			{"all", Query{}, []int{0, 1, 2, 3, 4, 5}},
			{"the first two", Query{Limit: 2}, []int{0, 1}},
			{"more than there are", Query{Limit: 100}, []int{0, 1, 2, 3, 4, 5}},
			{"newest first", Query{Order: NewestFirst}, []int{5, 4, 3, 2, 1, 0}},
			{"the newest two", Query{Order: NewestFirst, Limit: 2}, []int{5, 4}},
			{"sold", Query{Status: spec.Sold}, []int{0, 3, 5}},
			{"the first two sold", Query{Status: spec.Sold, Limit: 2}, []int{0, 3}},
			{"the newest two sold", Query{Status: spec.Sold, Limit: 2, Order: NewestFirst}, []int{5, 3}},
			{"pending", Query{Status: spec.Pending, Order: NewestFirst}, []int{4}},
			{"no such status", Query{Status: "sol"}, nil},
		} {
			got, err := s.List(row.q)
			var want []spec.Pet
			for _, i := range row.want {
				want = append(want, all[i])
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: want %+v, got %+v: %v", row.name, want, got, err)
			}
		}
		for _, p := range all {
			if got, found, err := s.Get(p.ID); got != p || !found || err != nil {
				t.Errorf("want %+v, got %+v: %v", p, got, err)
			}
		}
		if _, found, err := s.Get(1); found || err != nil {
			t.Errorf("want no animal: %v", err)
		}
	})
}

func TestAddingAtTheSameTime(t *testing.T) {
	stores(t, func(t *testing.T, s Store) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 40 {
					if _, err := s.Add(spec.NewPet{Name: "x", Status: spec.Sold}, Sequential); err != nil {
						t.Error(err)
					}
					if _, err := s.List(Query{Status: spec.Sold, Limit: 3}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		pets, err := s.List(Query{})
		ids := map[int64]bool{}
		for _, p := range pets {
			ids[p.ID] = true
		}
		if n, _ := s.Len(); err != nil || len(ids) != 320 || n != 320 {
			t.Errorf("want 320 animals, got %d ids, the length is %d: %v", len(ids), n, err)
		}
	})
}

func TestAFileOutlivesItsProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pets.db")
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	all := fill(t, s, Sequential)
	// A copy of the open file is what a killed process leaves behind.
	left, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil || !strings.Contains(err.Error(), "cannot be opened") {
		t.Errorf("a second store on one file is to be refused, %v came", err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	if _, err := s.Add(spec.NewPet{}, Sequential); !errors.Is(err, ErrClosed) {
		t.Errorf("want %v from a closed store, got %v", ErrClosed, err)
	}
	killed := filepath.Join(t.TempDir(), "killed.db")
	if err := os.WriteFile(killed, left, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, killed} {
		again, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := again.List(Query{}); err != nil || !slices.Equal(got, all) {
			t.Errorf("want %+v, which was kept, got %+v: %v", all, got, err)
		}
		if next, err := again.Add(spec.NewPet{Name: "next"}, Sequential); err != nil || next.ID != 7 {
			t.Errorf("want the id 7 next, got %d: %v", next.ID, err)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestADamagedRecordIsTold(t *testing.T) {
	whole := encode(spec.Pet{ID: 1, NewPet: spec.NewPet{Name: "Ada", Status: spec.Sold}})
	if _, err := decode(whole[:19]); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("want an error, got %v", err)
	}
	if _, err := decode(nil); err == nil {
		t.Error("want an error for no record")
	}
	if p, err := decode(encode(spec.Pet{NewPet: spec.NewPet{Status: "adopted"}})); err != nil || p.Status != "adopted" {
		t.Errorf("a status of a later version is kept as it is, %+v came: %v", p, err)
	}
}
