package limiter

// Ask compares a history with one kind.
func Ask(k Kind, h History) Account {
	a := k.explain(h.events())
	a.Kind = k
	return a
}
