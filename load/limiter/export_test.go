package limiter

// Ask compares a history with one kind.
func Ask(k Kind, h History) Account {
	return Explain(&h, []Kind{k})
}
