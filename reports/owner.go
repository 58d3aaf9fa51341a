package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"petconform/spec/verdict"
	"strings"
	"time"
)

// RunFile says which run a folder belongs to, and whether the run is through. Its presence is what makes a folder one of
// petconform's: no other is ever cleared.
const RunFile = "run.json"

const folderSchema = "petconform/folder/1"

// The states of a folder.
const (
	underWay = "under way"
	complete = "complete"
	aborted  = "aborted"
)

// owner is run.json.
type owner struct {
	Schema string `json:"schema"`
	// State is "under way" until the run ends; a run that was killed leaves it so.
	State string    `json:"state"`
	Since time.Time `json:"since"`
	// Kind, Run and Word are those of the results, once they are written.
	Kind string `json:"kind,omitempty"`
	Run  string `json:"run,omitempty"`
	Word string `json:"word,omitempty"`
}

// ownerOf reads run.json. A folder without it was put together by hand (a pipeline keeps some of the files, say), and is taken
// for what it holds: its owner has no state.
func ownerOf(dir string) (o owner, err error) {
	data, err := os.ReadFile(filepath.Join(dir, RunFile))
	if errors.Is(err, fs.ErrNotExist) {
		return o, nil
	} else if err != nil {
		return o, err
	}
	if err := json.Unmarshal(data, &o); err != nil || o.Schema != folderSchema {
		return o, fmt.Errorf("%s does not have the schema %q", filepath.Join(dir, RunFile), folderSchema)
	}
	return o, nil
}

// BelongsTo says whether what was judged from the recordings of a folder is of the run that the folder belongs to. One whose run
// did not come to its end does not know the run's name yet.
func BelongsTo(dir string, res verdict.Results) error {
	o, err := ownerOf(dir)
	if err == nil && o.State == complete && o.Run != res.Run {
		err = fmt.Errorf("%s belongs to the run %s, but its recordings are of the run %s; name the recording to use", dir, o.Run, res.Run)
	}
	return err
}

// throughIn says whether the run that wrote the folder came to its end.
func throughIn(dir string) error {
	o, err := ownerOf(dir)
	if err != nil {
		return err
	}
	switch o.State {
	case complete, "":
		return nil
	case aborted:
		return fmt.Errorf("the run in %s did not finish; petconform judge %s judges its recording", dir, dir)
	}
	return fmt.Errorf("the run in %s is under way or was killed; petconform judge %s judges its recording", dir, dir)
}

// sameRun says whether a recording is of the run that the results are of.
func sameRun(res verdict.Results, recording string) bool {
	for run := range strings.SplitSeq(res.Run, "+") {
		if run == recording {
			return true
		}
	}
	return false
}
