package bundle

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"petconform/reports"
	"petconform/spec/bounded"
)

// sealed is the modification time of every entry, so that the archive depends on its contents alone. It is the earliest
// time that zip can represent.
var sealed = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Pack writes the archive. The same files give the same bytes, whatever compresses them elsewhere: they are stored as
// they are.
func (f Files) Pack(w io.Writer) error {
	z := zip.NewWriter(w)
	for _, name := range f.names() {
		h := &zip.FileHeader{Name: name, Method: zip.Store, Modified: sealed}
		h.SetMode(0o644)
		entry, err := z.CreateHeader(h)
		if err == nil {
			_, err = entry.Write(f[name])
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// most is the largest archive that is read, in bytes: four recordings as large as they may be.
const most = 4 * reports.MaxRecording

// Open reads a bundle into memory, with its signatures: those in it, those in the same folder of an archive around it, as
// CI systems hand out the files of a job, and those beside the file. Two that differ are an error, and so is a file of the
// run beside the bundle that is not the one in it: people would sign what they did not read. The error says why an archive
// is not a bundle, or may show other files to other readers.
func Open(name string) (files Files, signatures Signatures, err error) {
	data, err := bounded.ReadFile(name, most)
	var around func(file string) ([]byte, error)
	if err == nil {
		data, around, err = within(data)
	}
	if err == nil {
		files, err = unpack(data)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s is not a bundle: %w", name, err)
	}
	signatures = Signatures{}
	inside := func(file string) ([]byte, error) { return files[file], nil }
	beside := func(file string) ([]byte, error) {
		return bounded.ReadFile(filepath.Join(filepath.Dir(name), file), most)
	}
	err = errors.Join(signatures.add(inside), signatures.add(around), signatures.add(beside), files.same(around), files.same(beside))
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return signatures[name] != nil })
	return files, signatures, err
}

// same returns an error if read finds a file of the bundle with other content.
func (f Files) same(read func(file string) ([]byte, error)) error {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if data, err := read(name); err == nil && name != reports.PreparedFile && name != reports.ApprovedFile && !bytes.Equal(data, f[name]) {
			return fmt.Errorf("%s beside the bundle is not the one in it; unpack the bundle, and read and sign what it has", name)
		}
	}
	return nil
}

// add adds the signatures that read finds.
func (s Signatures) add(read func(file string) ([]byte, error)) error {
	for _, step := range steps {
		file := step.file()
		switch signature, err := read(file); {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		case s[file] == nil:
			s[file] = signature
		case signature != nil && !bytes.Equal(s[file], signature):
			return fmt.Errorf("two files %s differ: in the bundle, in an archive around it, or beside it; remove the wrong one", file)
		}
	}
	return nil
}

// within returns the bundle in an archive around it, or the archive itself if it has none, and what reads a file of the
// same folder there. A name that is in the archive twice is an error.
func within(data []byte) (bundle []byte, around func(file string) ([]byte, error), err error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	var folders []string // that have a bundle
	names := map[string]bool{}
	for _, entry := range z.File {
		name := path.Clean(entry.Name)
		if path.Base(name) == reports.BundleFile {
			folders = append(folders, path.Dir(name))
		}
		if names[name] || len(folders) > 1 {
			return nil, nil, fmt.Errorf("it has two files %s", path.Base(name))
		}
		names[name] = true
	}
	around = func(file string) ([]byte, error) {
		name := path.Join(append(folders, "")[0], file)
		info, err := fs.Stat(z, name)
		if err == nil && uint64(info.Size()) > uint64(min(most, max(64<<20, 50*len(data)))) {
			return nil, fmt.Errorf("%s unpacks to more than may be in it", name)
		}
		return fs.ReadFile(z, name) // no more than the archive says
	}
	if bundle = data; len(folders) > 0 {
		bundle, err = around(reports.BundleFile)
	}
	return bundle, around, err
}

// unpack reads the files of a bundle, and the signatures that were added to it.
func unpack(data []byte) (Files, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err == nil && !plain(z, data) {
		err = errors.New("it has something beside its files, or is packed by another program; take it as petconform signoff wrote it")
	}
	if err != nil {
		return nil, err
	}
	files, names := Files{}, append(Names(), reports.PreparedFile, reports.ApprovedFile)
	for _, entry := range z.File {
		if files[entry.Name] != nil || !slices.Contains(names, entry.Name) {
			return nil, fmt.Errorf("it has the file %q, or has it twice; a bundle has only %s", entry.Name, strings.Join(names, ", "))
		}
		if files[entry.Name], err = fs.ReadFile(z, entry.Name); err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name, err)
		}
	}
	return files, nil
}

// plain reports whether all readers of an archive see the same files, the large ones without unpacking them: packed again
// with their headers, they are the archive. Another one may have a file in front, behind or between, or two names for one.
func plain(z *zip.Reader, data []byte) bool {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, entry := range z.File {
		h := entry.FileHeader
		start, err := entry.DataOffset()
		if small := max(h.CompressedSize64, bounded.Small); err != nil || max(int(start), b.Len()) > len(data) ||
			h.UncompressedSize64 > small || !h.Mode().IsRegular() {
			return false
		}
		name := bytes.LastIndex(data[:start], []byte("PK\x03\x04")) + 30
		h.Extra = data[min(name+len(h.Name), int(start)):start] // the directory has another one
		raw, err := entry.OpenRaw()
		if to, unmade := w.CreateRaw(&h); cmp.Or(err, unmade) == nil {
			_, _ = io.Copy(to, raw) // what is missing is a difference
		}
		h.Extra = entry.Extra
	}
	_ = w.Close()
	again, end := b.Bytes(), b.Len()-22 // the end says where the directory begins, and how long it is
	directory := binary.LittleEndian.Uint32(again[end+16:])
	return len(again) == len(data) && bytes.HasPrefix(data, again[:directory]) && bytes.HasSuffix(data, again[end:]) &&
		!bytes.Contains(data[directory:], []byte("PK\x06\x07")) // which some readers take for that of another directory
}
