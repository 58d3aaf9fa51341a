package bundle

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
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

// File is the name of the archive.
const File = reports.BundleFile

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
func Open(name string) (Files, Signatures, error) {
	data, err := bounded.ReadFile(name, most)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is not a bundle: %w", name, err)
	}
	inside, err := within(data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is not a bundle: %w", name, err)
	}
	if inside[File] != nil {
		data = inside[File]
	}
	signatures := Signatures{}
	for _, s := range steps {
		beside, err := bounded.ReadFile(filepath.Join(filepath.Dir(name), s.file), bounded.Small)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		} else if err == nil {
			signatures[s.file] = beside
		}
		if inside[s.file] != nil {
			signatures[s.file] = inside[s.file]
		}
	}
	files, err := unpack(data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is not a bundle: %w", name, err)
	}
	return files, signatures, nil
}

// within returns the bundle in an archive around it, and the signatures in its folder there. It returns nothing for an
// archive that has no bundle.
func within(data []byte) (map[string][]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(z.File, func(entry *zip.File) bool { return path.Base(entry.Name) == File })
	if at < 0 {
		return nil, nil
	}
	folder, found := path.Dir(z.File[at].Name), map[string][]byte{}
	for _, entry := range z.File {
		name := path.Base(entry.Name)
		signature := slices.ContainsFunc(steps, func(s step) bool { return s.file == name }) && path.Dir(entry.Name) == folder
		if name != File && !signature {
			continue
		}
		if found[name] != nil {
			return nil, fmt.Errorf("it has two files %s", name)
		}
		if found[name], err = read(entry, min(most, max(64<<20, 50*len(data)))); err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name, err)
		}
	}
	return found, nil
}

func read(entry *zip.File, most int) ([]byte, error) {
	r, err := entry.Open()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1)) // whatever size the archive tells
	if len(data) > most {
		err = fmt.Errorf("it unpacks to more than %d bytes", most)
	}
	return data, errors.Join(err, r.Close())
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
		case entry.Method != zip.Store || files[entry.Name] != nil:
			return nil, fmt.Errorf("%s is compressed, or is in it twice; take the bundle as petconform signoff wrote it", entry.Name)
		}
		if files[entry.Name], err = read(entry, len(data)); err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name, err)
		}
	}
	again := sha256.New()
	if err := files.Pack(again); err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); !bytes.Equal(again.Sum(nil), sum[:]) {
		return nil, errors.New("it has something beside its files, or was packed by another program; take the bundle as petconform signoff wrote it")
	}
	return files, nil
}
