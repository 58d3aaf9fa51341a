package reports

import (
	"encoding/json"
	"fmt"

	"petconform/spec/exchange"
)

// Clean takes the keys that in.Redactor knows out of the results, and out of the recording and the earlier run if they were read from
// files, and adds a warning for what it found. The client takes keys out of each response; here they may come back together, from
// two headers of a response for example, or from a file that another program wrote.
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
	if in.Rejudged != nil {
		again := *in.Rejudged
		if _, err := cleaned(in.Redactor, &again); err != nil {
			return in, err
		}
		in.Rejudged = &again
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

// cleaned takes keys out of a value by way of its JSON.
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
