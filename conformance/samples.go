package conformance

import (
	"slices"

	"petconform/spec/rules"
)

// A rule reads every exchange of a run and sends nothing. A run of one rule alone sends the few checks whose responses the rule
// judges.
var (
	successSamples = []string{"list-all", "create-statuses", "get-existing", "list-created"}
	errorSamples   = []string{"auth-missing-list", "auth-missing-create", "auth-missing-get", "auth-missing-orders", "create-name-missing", "get-unknown"}
	allSamples     = slices.Concat(successSamples, errorSamples, []string{"orders"})
)

// samples has the checks for the rules that need others than allSamples, by the rule's id.
var samples = map[string][]string{
	"success-media-type": successSamples,
	"success-json":       successSamples,
	"base-path":          {"list-all"},
	"pet-schema":         successSamples,

	"listing-served":     {"list-all", "list-limit-bounds", "list-status-available"},
	"bare-array":         {"list-all", "list-created"},
	"limit-kept":         {"create-statuses", "list-limit-bounds"},
	"default-limit-kept": {"list-limit-default"},
	"limit-maximum":      {"list-open-limit"},
	"filter-kept":        {"list-status-available", "list-status-pending", "list-status-sold"},
	"listing-unique-ids": {"list-created"},

	"created-is-a-pet":   {"create-statuses"},
	"created-status":     {"create-statuses", "create-open"},
	"created-as-sent":    {"create-statuses", "create-names", "create-category"},
	"created-unique-ids": {"create-parallel", "list-created"},
	"created-once":       {"list-created"},
	"created-is-kept":    {"create-names", "create-category", "get-existing", "list-created"},

	"fetched-is-the-pet":    {"get-existing"},
	"deprecation-headers":   {"get-existing", "get-unknown"},
	"deprecation-announced": {"get-existing"},

	"key-accepted":     successSamples,
	"challenge":        {"auth-missing-list", "auth-missing-create", "auth-missing-get", "auth-missing-orders"},
	"error-media-type": errorSamples,
	"error-body":       errorSamples,
	"error-status":     errorSamples,
	"error-words":      errorSamples,
	"error-codes":      errorSamples,
	"error-elsewhere":  {"elsewhere"},

	"limit-stands":             {"create-parallel", "list-created"},
	"remaining-falls":          {"create-parallel", "list-created", "remaining-later"},
	"remaining-moves":          {"create-parallel", "list-created", "remaining-later"},
	"retry-after":              {"list-all"},
	"rate-headers-without-key": {"list-all", "auth-missing-list"},
	"rate-headers-elsewhere":   {"elsewhere"},
}

func samplesFor(r rules.Rule) []string {
	if s, ok := samples[r.ID]; ok {
		return s
	}
	return allSamples
}
