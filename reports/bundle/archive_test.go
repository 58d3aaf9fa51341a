package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"petconform/reports"
)

// TestUnpackRefusesWhatIsBesideTheFiles: an archive is a bundle to its first and last byte, so that all readers see the same files.
func TestUnpackRefusesWhatIsBesideTheFiles(t *testing.T) {
	archive := func(files Files) []byte {
		var b bytes.Buffer
		if err := files.Pack(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	whole := archive(Files{reports.ResultsFile: []byte(`{"verdict":"conforms"}`), SumsFile: []byte("sums")})
	other := archive(Files{reports.ResultsFile: []byte(`{"verdict":"deviates"}`)})
	// The end of the directory has its size at 12, its offset at 16 and the length of the comment at 20.
	end := func(b []byte) []byte { return b[len(b)-directoryEnd:] }
	files := int(binary.LittleEndian.Uint32(end(whole)[16:]))
	// moved is whole behind something, with the offsets of its directory corrected, as tools that make self-extracting archives do.
	moved := func(by []byte) []byte {
		b := bytes.Clone(whole)
		add := func(field []byte) {
			binary.LittleEndian.PutUint32(field, binary.LittleEndian.Uint32(field)+uint32(len(by)))
		}
		add(end(b)[16:])
		for at := files; at < len(b)-directoryEnd; {
			add(b[at+42:])
			at += directoryHeader + int(binary.LittleEndian.Uint16(b[at+28:])) + int(binary.LittleEndian.Uint16(b[at+30:]))
		}
		return append(bytes.Clone(by), b...)
	}
	// between puts something between the files and the directory.
	between := func(by []byte) []byte {
		b := append(append(bytes.Clone(whole[:files]), by...), whole[files:]...)
		binary.LittleEndian.PutUint32(end(b)[16:], uint32(files+len(by)))
		return b
	}
	commented := bytes.Clone(whole)
	end(commented)[20] = 4
	renamed := bytes.Replace(bytes.Clone(whole), []byte(reports.ResultsFile), []byte("Results.json"), 1) // in front of the file alone
	for name, row := range map[string]struct {
		archive []byte
		says    string
	}{
		"whole":                                      {whole, ""},
		"a script in front":                          {append([]byte("#!/bin/sh\n"), whole...), "in front of"},
		"a script in front, offsets corrected":       {moved([]byte("#!/bin/sh\n")), "in front of"},
		"another bundle in front":                    {append(bytes.Clone(other), whole...), "in front of"},
		"another bundle in front, offsets corrected": {moved(other), "in front of"},
		"one byte behind":                            {append(bytes.Clone(whole), 0), "between or behind"},
		"a comment":                                  {append(commented, "note"...), "between or behind"},
		"another bundle behind":                      {append(bytes.Clone(whole), other...), "in front of"},
		"a file that the directory does not list":    {between(other[:files/2]), "between or behind"},
		"two directories":                            {between(whole[files : len(whole)-directoryEnd]), "between or behind"},
		"two names for one file":                     {renamed, "in front of"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), File)
			if err := os.WriteFile(path, row.archive, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := zip.NewReader(bytes.NewReader(row.archive), int64(len(row.archive))); err != nil {
				t.Errorf("this is no archive, which is refused anyway: %v", err)
			}
			_, err := Unpack(path)
			if row.says == "" && err != nil || row.says != "" && (err == nil || !strings.Contains(err.Error(), row.says)) {
				t.Errorf("the error is %v; %q is wanted", err, row.says)
			}
		})
	}
}

// TestUnpackReadsRegularFiles: a pipe does not make verify wait, and a device does not fill its memory.
func TestUnpackReadsRegularFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := exec.CommandContext(t.Context(), "mkfifo", pipe).Run(); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{pipe, "/dev/zero"} {
		if _, err := Unpack(name); err == nil || !strings.Contains(err.Error(), "regular file") {
			t.Errorf("%s: %v; a regular file is wanted", name, err)
		}
	}
}
