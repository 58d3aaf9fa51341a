package behaviour

import "slices"

// Row is a row of a table, with the notes that few rows have.
type Row[T any] struct {
	Of    T
	Notes []Note[T]
}

// Note sets a field.
type Note[T any] func(*T)

// Table gives each row the notes of its group. A note of the row itself counts more.
func Table[T any](notes ...Note[T]) func(rows ...Row[T]) []T {
	return func(rows ...Row[T]) []T {
		all := make([]T, len(rows))
		for i, row := range rows {
			all[i] = row.Of
			for _, note := range slices.Concat(notes, row.Notes) {
				note(&all[i])
			}
		}
		return all
	}
}
