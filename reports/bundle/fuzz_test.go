package bundle

import (
	"bytes"
	"maps"
	"testing"

	"petconform/reports"
)

// FuzzUnpack: whatever an archive holds, it is refused, or its files are those that a bundle has, and come back when packed again.
func FuzzUnpack(f *testing.F) {
	for _, files := range []Files{{}, {reports.ResultsFile: []byte("{}"), SumsFile: []byte("0  results.json\n")}, {"run.sh": nil}, {"../results.json": []byte("{}")}} {
		var b bytes.Buffer
		if err := files.Pack(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
		f.Add(b.Bytes()[:b.Len()/2])
	}
	f.Fuzz(func(t *testing.T, archive []byte) {
		files, err := unpack(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			return
		}
		for name := range files {
			if !known(name) {
				t.Errorf("%q is no file of a bundle", name)
			}
		}
		var b bytes.Buffer
		if err := files.Pack(&b); err != nil {
			t.Fatal(err)
		}
		again, err := unpack(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil || !maps.EqualFunc(files, again, bytes.Equal) {
			t.Errorf("what was unpacked does not come back: %v", err)
		}
	})
}

// FuzzFile puts anything in the place of one file of a bundle, with digests that fit: reading and judging it ends with problems, or with
// another subject, so that no signature fits. It renders nothing, since that takes long.
func FuzzFile(f *testing.F) {
	files, judge := filed(f)
	names := files.names()
	for i, name := range names {
		f.Add(uint8(i), []byte("{}"))
		f.Add(uint8(i), files[name][:min(len(files[name]), 2000)])
	}
	f.Fuzz(func(t *testing.T, at uint8, data []byte) {
		name := names[int(at)%len(names)]
		changed := maps.Clone(files)
		changed[name] = data
		if name != SumsFile {
			changed[SumsFile] = changed.sums()
		}
		v := Verification{Subject: changed.Subject()}
		v.digests(changed)
		run, err := changed.open(Options{Judge: judge})
		if err != nil {
			return
		}
		out := reports.Weigh(run.Input)
		v.Results = out.Results
		v.reference()
		v.judge(run)
		if len(v.Problems) == 0 && v.Subject == files.Subject() && !bytes.Equal(data, files[name]) {
			t.Errorf("%s was changed, and nothing is told", name)
		}
	})
}
