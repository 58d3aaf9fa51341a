package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"petconform/reports"
)

func packed(t testing.TB, files Files) []byte {
	t.Helper()
	var b bytes.Buffer
	noError(t, files.Pack(&b))
	return b.Bytes()
}

// put writes a file of a folder of its own.
func put(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	noError(t, os.WriteFile(path, data, 0o600))
	return path
}

// entry is one of an archive that another program made.
type entry struct {
	zip.FileHeader
	data []byte
}

func archive(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		w, err := z.CreateHeader(&e.FileHeader)
		noError(t, err)
		_, _ = w.Write(e.data)
	}
	noError(t, z.Close())
	return b.Bytes()
}

func stored(name string, data []byte) entry { return entry{zip.FileHeader{Name: name}, data} }

func deflated(name string, data []byte) entry {
	return entry{zip.FileHeader{Name: name, Method: zip.Deflate}, data}
}

// withSignatures packs a bundle to which another program added signatures.
func withSignatures(t *testing.T, files Files, signatures Signatures) []byte {
	t.Helper()
	var all []entry
	for _, name := range files.names() {
		all = append(all, stored(name, files[name]))
	}
	for name, data := range signatures {
		all = append(all, deflated(name, data))
	}
	return archive(t, all...)
}

// TestOpen: a bundle comes back, also from an archive around it, with the signatures of its folder.
func TestOpen(t *testing.T) {
	files := bundles(t).released
	whole, one, two := packed(t, files), []byte("prepared"), []byte("approved")
	if !bytes.Equal(whole, packed(t, maps.Clone(files))) {
		t.Error("the archive is another the second time")
	}
	signed := withSignatures(t, files, Signatures{"prepared.sig": one, "approved.sig": two})
	for name, row := range map[string]struct {
		archive []byte
		// beside is a signature that lies beside the archive, and want are those that come with the bundle.
		beside []byte
		want   string
	}{
		"alone":                        {whole, nil, ""},
		"with a signature beside it":   {whole, one, "prepared"},
		"in an archive":                {archive(t, deflated(reports.BundleFile, whole)), nil, ""},
		"in a folder of one":           {archive(t, deflated("petconform-out/", nil), deflated("petconform-out/"+reports.BundleFile, whole), deflated("petconform-out/results.json", files["results.json"])), nil, ""},
		"in an archive with both":      {archive(t, deflated("out/prepared.sig", one), deflated("out/approved.sig", two), deflated("out/"+reports.BundleFile, whole)), nil, "prepared approved"},
		"in an archive, one beside it": {archive(t, deflated("approved.sig", two), deflated(reports.BundleFile, whole)), one, "prepared approved"},
		"one at both places":           {archive(t, deflated("prepared.sig", one), deflated(reports.BundleFile, whole)), one, "prepared"},
		"in it":                        {signed, nil, "prepared approved"},
		"in it, and one beside it":     {signed, one, "prepared approved"},
		"in it, in an archive":         {archive(t, deflated("out/"+reports.BundleFile, signed)), nil, "prepared approved"},
		"one in another folder":        {archive(t, deflated("other/prepared.sig", one), deflated("out/"+reports.BundleFile, whole)), nil, ""},
	} {
		path := put(t, "artefact.zip", row.archive)
		if row.beside != nil {
			noError(t, os.WriteFile(filepath.Join(filepath.Dir(path), reports.PreparedFile), row.beside, 0o600))
		}
		back, signatures, err := Open(path)
		got := strings.TrimSpace(string(signatures[reports.PreparedFile]) + " " + string(signatures[reports.ApprovedFile]))
		if err != nil || !maps.EqualFunc(files, back, bytes.Equal) || got != row.want {
			t.Errorf("%s: %v, signatures %q; the files and %q are wanted", name, err, got, row.want)
		}
	}
	t.Logf("%d files, %d bytes packed", len(files), len(whole))
	for _, name := range []string{reports.ReportFile, reports.SumsFile, reports.RecordingFile} { // in its place lies another one
		path := put(t, "artefact.zip", whole)
		noError(t, os.WriteFile(filepath.Join(filepath.Dir(path), name), one, 0o600))
		_, _, beside := Open(path)
		_, _, around := Open(put(t, "artefact.zip", archive(t, deflated("out/"+reports.BundleFile, whole), deflated("out/"+name, one))))
		for _, err := range []error{beside, around} {
			if err == nil || !strings.Contains(err.Error(), name+" beside the bundle is not the one in it") {
				t.Errorf("%s: %v; an error is wanted", name, err)
			}
		}
	}
}

// TestOpenRefuses archives that Pack did not write, to their first and last byte, so that all readers see the same files.
func TestOpenRefuses(t *testing.T) {
	whole := withSignatures(t, Files{reports.ResultsFile: []byte(`{"verdict":"conforms"}`), SumsFile: []byte("sums")}, Signatures{"prepared.sig": []byte("signature")})
	other := packed(t, Files{reports.ResultsFile: []byte(`{"verdict":"deviates"}`)})
	// The end of the directory has its offset at 16 and the length of the comment at 20. An entry of the directory has
	// the offset of its file at 42.
	const end = 22
	directory := func(b []byte) int { return int(binary.LittleEndian.Uint32(b[len(b)-end+16:])) }
	// moved is whole behind something, with its offsets corrected, as self-extracting archives are made.
	moved := func(by []byte) []byte {
		b := bytes.Clone(whole)
		add := func(field []byte) {
			binary.LittleEndian.PutUint32(field, binary.LittleEndian.Uint32(field)+uint32(len(by)))
		}
		for at := directory(b); at < len(b)-end; at += 46 + int(binary.LittleEndian.Uint16(b[at+28:])) + int(binary.LittleEndian.Uint16(b[at+30:])) {
			add(b[at+42:])
		}
		add(b[len(b)-end+16:])
		return append(bytes.Clone(by), b...)
	}
	// between puts something between the files and the directory.
	between := func(by []byte) []byte {
		b := append(append(bytes.Clone(whole[:directory(whole)]), by...), whole[directory(whole):]...)
		binary.LittleEndian.PutUint32(b[len(b)-end+16:], uint32(directory(whole)+len(by)))
		return b
	}
	commented := append(bytes.Clone(whole), "note"...)
	commented[len(whole)-2] = 4
	const names, beside, packedOtherwise = "a bundle has only", "something beside its files", "packed by another program"
	hidden := func(extra string) []byte {
		return archive(t, stored(SumsFile, nil), entry{zip.FileHeader{Name: "prepared.sig", Extra: []byte("PC" + string(rune(len(extra))) + "\x00" + extra)}, nil})
	}
	link := entry{zip.FileHeader{Name: reports.ResultsFile, ExternalAttrs: 0o120777 << 16, CreatorVersion: 3 << 8}, []byte("/etc/passwd")}
	for name, row := range map[string]struct {
		archive []byte
		says    string
	}{
		"no archive":                         {[]byte("{}"), "not a valid zip file"},
		"another name":                       {archive(t, stored("run.sh", nil)), names},
		"a path that leads out":              {archive(t, stored("../results.json", nil)), names},
		"an absolute path":                   {archive(t, stored("/etc/passwd", nil)), names},
		"a name twice":                       {archive(t, stored(SumsFile, nil), stored(SumsFile, nil)), "it has two files SHA256SUMS"},
		"a compressed file":                  {archive(t, deflated(SumsFile, make([]byte, 1<<21))), packedOtherwise},
		"a link":                             {archive(t, link), beside},
		"a file in a field of another":       {hidden(string(other[:directory(other)])[:60]), beside},
		"another directory in a field":       {hidden("PK\x06\x07" + strings.Repeat("\x00", 16)), beside},
		"a signature twice in it":            {archive(t, stored(SumsFile, nil), deflated("a/"+reports.BundleFile, archive(t, stored("prepared.sig", nil), stored("prepared.sig", nil)))), "has it twice"},
		"two signatures that differ":         {archive(t, deflated("prepared.sig", []byte("another")), deflated(reports.BundleFile, whole)), "two files prepared.sig differ"},
		"a script in front":                  {append([]byte("#!/bin/sh\n"), whole...), beside},
		"a script in front, offsets right":   {moved([]byte("#!/bin/sh\n")), beside},
		"a bundle in front":                  {append(bytes.Clone(other), whole...), beside},
		"a bundle in front, offsets right":   {moved(other), beside},
		"one byte behind":                    {append(bytes.Clone(whole), 0), beside},
		"a comment":                          {commented, beside},
		"a bundle behind":                    {append(bytes.Clone(whole), other...), beside},
		"a file that the directory lacks":    {between(other[:directory(other)]), beside},
		"two directories":                    {between(whole[directory(whole) : len(whole)-end]), beside},
		"two names for one file":             {bytes.Replace(bytes.Clone(whole), []byte(reports.ResultsFile), []byte("Results.json"), 1), beside},
		"two bundles":                        {archive(t, deflated("a/"+reports.BundleFile, whole), deflated("b/"+reports.BundleFile, other)), "it has two files bundle.zip"},
		"a signature twice":                  {archive(t, deflated(reports.BundleFile, whole), deflated("prepared.sig", nil), deflated("prepared.sig", nil)), "it has two files prepared.sig"},
		"an archive in an archive around it": {archive(t, deflated(reports.BundleFile, archive(t, deflated(reports.BundleFile, whole)))), names},
		"a bomb":                             {archive(t, deflated(reports.BundleFile, make([]byte, 65<<20))), "unpacks to more than"},
		"something for a bundle":             {archive(t, deflated(reports.BundleFile, []byte("<html>"))), "not a valid zip file"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := Open(put(t, reports.BundleFile, row.archive)); err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("the error is %v; %q is wanted", err, row.says)
			}
		})
	}
}

func TestSHA256SumsAreReadByTheTool(t *testing.T) {
	tool, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip("SKIPPED: sha256sum is not there")
	}
	dir := t.TempDir()
	for name, data := range bundles(t).released {
		path := filepath.Join(dir, name)
		noError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		noError(t, os.WriteFile(path, data, 0o600))
	}
	cmd := exec.CommandContext(t.Context(), tool, "--strict", "-c", SumsFile)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// FuzzUnpack: whatever an archive holds, it is refused, or its files are those that a bundle has, and come back when packed again.
func FuzzUnpack(f *testing.F) {
	for _, files := range []Files{{}, {reports.ResultsFile: []byte("{}"), SumsFile: []byte("0  results.json\n")}, {"run.sh": nil}, {"../results.json": []byte("{}")}} {
		f.Add(packed(f, files))
		f.Add(packed(f, files)[:len(packed(f, files))/2])
	}
	f.Fuzz(func(t *testing.T, archive []byte) {
		if files, err := unpack(archive); err == nil && !bytes.Equal(packed(t, files), archive) {
			t.Error("what was unpacked does not come back")
		}
		_, _, _ = within(archive)
	})
}
