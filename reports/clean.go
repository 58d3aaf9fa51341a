package reports

import (
	"encoding/json"
	"fmt"

	"petconform/spec/exchange"
)

// Clean returns in without the keys that in.Redactor knows: in the results, and in the recording and the earlier run if
// they were read from files. It adds a warning if the results contained a key. The client has already removed keys from
// each response, but parts of a key in two headers may form the key again in a sentence, and a file may be written by
// another program. The error wraps ErrKeyFound if a key cannot be removed.
func Clean(in Input) (Input, error) {
	if in.Redactor == nil {
		return in, nil
	}
	found, err := cleaned(in.Redactor, &in.Results)
	if err != nil {
		return in, err
	}
	if found {
		in.Results.Warnings = append(in.Results.Warnings, "the results contained an API key; [key] replaces it")
	}
	if in.RecordingDigest != "" && in.Recording != nil {
		if err := cleanRecording(in.Redactor, in.Recording); err != nil {
			return in, err
		}
	}
	if in.Previous != nil {
		before := *in.Previous
		before.Redactor = in.Redactor
		if before, err = Clean(before); err != nil {
			return in, err
		}
		before.Redactor = in.Previous.Redactor
		in.Previous = &before
	}
	return in, nil
}

func cleanRecording(keys *exchange.Redactor, rec *exchange.Recording) error {
	if _, err := cleaned(keys, &rec.Meta); err != nil {
		return err
	}
	for i := range rec.Exchanges {
		if _, err := cleaned(keys, &rec.Exchanges[i]); err != nil {
			return err
		}
	}
	return nil
}

// cleaned removes keys from v, through its JSON, and reports whether there was one.
func cleaned[T any](keys *exchange.Redactor, v *T) (bool, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return false, err
	}
	clean, found := keys.RedactJSON(data)
	if !found {
		return false, nil
	}
	var out T
	if err := json.Unmarshal(clean, &out); err != nil {
		return true, fmt.Errorf("%w, and it can't be taken out: %w", ErrKeyFound, err)
	}
	*v = out
	return true, nil
}
