package limiter

// Ask asks one kind for its account of a history.
func Ask(k Kind, h History) Account {
	a := k.explain(h.events())
	a.Kind = k
	return a
}
