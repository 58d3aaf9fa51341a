package bundle

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
		if err != nil {
			return err
		}
		if _, err := entry.Write(f[name]); err != nil {
			return err
		}
	}
	return z.Close()
}

// most is the largest archive that is read, in bytes: four recordings as large as they may be.
const most = 4 * reports.MaxRecording

// Open reads a bundle into memory, with the signatures beside it. A bundle in another archive, as CI systems hand out
// the files of a job, is read with the signatures in the same folder there, or else with those beside that archive. The
// error says why an archive is not one that Pack wrote.
func Open(name string) (files Files, signatures Signatures, err error) {
	data, err := bounded.ReadFile(name, most)
	if err == nil {
		data, signatures, err = within(data)
	}
	if err == nil {
		files, err = unpack(data)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s is not a bundle: %w", name, err)
	}
	return files, signatures, signatures.add(func(file string) ([]byte, error) {
		return bounded.ReadFile(filepath.Join(filepath.Dir(name), file), bounded.Small)
	})
}

// add adds the signatures that read finds and s does not have yet.
func (s Signatures) add(read func(file string) ([]byte, error)) error {
	for _, step := range steps {
		if s[step.file()] != nil {
			continue
		}
		signature, err := read(step.file())
		if err == nil {
			s[step.file()] = signature
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// within returns the bundle in an archive around it, and the signatures in its folder there; or the archive itself if it
// has no bundle. A name that is in the archive twice is an error.
func within(data []byte) (bundle []byte, signatures Signatures, err error) {
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
	signatures = Signatures{}
	if len(folders) == 0 {
		return data, signatures, nil
	}
	read := func(file string) ([]byte, error) {
		name := path.Join(folders[0], file)
		info, err := fs.Stat(z, name)
		if err == nil && uint64(info.Size()) > uint64(min(most, max(64<<20, 50*len(data)))) {
			return nil, fmt.Errorf("%s unpacks to more than may be in it", name)
		}
		return fs.ReadFile(z, name) // no more than the archive says
	}
	if bundle, err = read(reports.BundleFile); err == nil {
		err = signatures.add(read)
	}
	return bundle, signatures, err
}

// unpack reads an archive that Pack wrote. Two readers of another one may see different files, such as one in front of
// it, behind it or between, or two of one name: so its files, packed again, have to be the archive.
func unpack(data []byte) (Files, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	files := Files{}
	for _, entry := range z.File {
		switch {
		case !slices.Contains(Names(), entry.Name):
			return nil, fmt.Errorf("it has the file %q; a bundle has only %s", entry.Name, strings.Join(Names(), ", "))
		case entry.Method != zip.Store:
			return nil, fmt.Errorf("%s is compressed; take the bundle as petconform signoff wrote it", entry.Name)
		}
		in, err := entry.Open()
		if err == nil {
			files[entry.Name], err = io.ReadAll(in)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name, err)
		}
	}
	var again bytes.Buffer
	if err := files.Pack(&again); err != nil {
		return nil, err
	}
	if !bytes.Equal(again.Bytes(), data) {
		return nil, errors.New("it has something beside its files, or was packed by another program; take the bundle as petconform signoff wrote it")
	}
	return files, nil
}
