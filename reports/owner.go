package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"petconform/spec/bounded"
)

// RunFile is the file that names the run to which a folder belongs, and says whether the run has ended. petconform
// removes files only from a folder that has it.
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
	// State is "under way" until the run ends, and stays so if the run is killed. It is "aborted" if the run was
	// interrupted or did not finish its report.
	State string `json:"state"`
	// Interrupted says that a signal ended the run, and that its report was written.
	Interrupted bool      `json:"interrupted,omitempty"`
	Since       time.Time `json:"since"`
	// Kind, Run and Word are those of the results. They are empty until the results are written.
	Kind string `json:"kind,omitempty"`
	Run  string `json:"run,omitempty"`
	Word string `json:"word,omitempty"`
}

// finished reports whether all files of the run are written.
func (o owner) finished() bool { return o.State == complete || o.State == aborted && o.Interrupted }

// ownerOf reads run.json. If there is none, somebody copied files into the folder, as a pipeline does that keeps some
// of them: ownerOf then returns the zero owner.
func ownerOf(dir string) (o owner, err error) {
	data, err := bounded.ReadFile(filepath.Join(dir, RunFile), bounded.Small)
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

// unfinished returns an error unless the run that wrote the folder dir has its report.
func (o owner) unfinished(dir string) error {
	switch {
	case o.finished(), o.State == "":
		return nil
	case o.State == aborted:
		return fmt.Errorf("the run in %s did not finish; petconform judge %s judges its recording", dir, dir)
	}
	return fmt.Errorf("the run in %s is under way or was killed; petconform judge %s judges its recording", dir, dir)
}
