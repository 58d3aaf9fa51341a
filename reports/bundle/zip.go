package bundle

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
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

// Pack writes the archive. The same files give the same bytes.
func (f Files) Pack(w io.Writer) error {
	z := zip.NewWriter(w)
	for _, name := range f.names() {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: sealed}
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

// Bounds of what is read of an archive that anyone may have made. Nothing is unpacked to a disk, so a name can't lead
// anywhere.
const (
	maxEntries = 1 << 14
	maxFile    = 512 << 20
	maxAll     = 1 << 30
	// An archive that unpacks to more than maxSmall must not unpack to more than maxRatio times its size.
	maxSmall = 64 << 20
	maxRatio = 50
)

// Unpack reads an archive into memory. It returns an error for an archive that is larger than the bounds, that has
// other names than a bundle, a name twice, folders or links, or that has bytes beside its files.
func Unpack(path string) (Files, error) {
	f, err := bounded.Open(path, maxAll)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	files, err := unpack(f, f.Size())
	if err != nil {
		return nil, fmt.Errorf("%s is not a bundle: %w", path, err)
	}
	return files, nil
}

func unpack(archive io.ReaderAt, size int64) (Files, error) {
	z, err := zip.NewReader(archive, size)
	if err != nil {
		return nil, err
	}
	if len(z.File) > maxEntries {
		return nil, fmt.Errorf("it has %d entries; a bundle has at most %d", len(z.File), maxEntries)
	}
	files, left := Files{}, min(maxAll, max(maxSmall, size*maxRatio))
	for _, entry := range z.File {
		switch {
		case !known(entry.Name):
			return nil, fmt.Errorf("it has the file %q; a bundle has only %s and bodies of exchanges", entry.Name, strings.Join(Names(), ", "))
		case files[entry.Name] != nil:
			return nil, fmt.Errorf("it has %s twice", entry.Name)
		case !entry.Mode().IsRegular():
			return nil, fmt.Errorf("%s is not a regular file", entry.Name)
		}
		data, err := read(entry, min(maxFile, left))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name, err)
		}
		files[entry.Name], left = data, left-int64(len(data))
	}
	return files, filled(archive, size, z)
}

// Sizes in an archive, in bytes: what comes before and after the contents of an entry, and what the directory has, each
// without the name and the extra field (APPNOTE.TXT, section 4.3).
const (
	localHeader, descriptor, directoryHeader, directoryEnd = 30, 16, 46, 22
)

// filled returns an error unless the entries and one directory fill the archive to its last byte, as Pack writes it.
// Two readers of an archive with something in front of it, behind it or between may see different files: one takes the
// first directory and another the last.
func filled(archive io.ReaderAt, size int64, z *zip.Reader) error {
	at, directory := int64(0), int64(directoryEnd)
	for _, entry := range z.File {
		named := int64(len(entry.Name) + len(entry.Extra))
		offset, err := entry.DataOffset()
		if err != nil {
			return err
		}
		name := make([]byte, len(entry.Name))
		if _, err := archive.ReadAt(name, at+localHeader); offset != at+localHeader+named || err != nil || string(name) != entry.Name {
			return fmt.Errorf("it has something in front of %s that is not part of a bundle; get the bundle again from where it was made",
				entry.Name)
		}
		at += localHeader + named + int64(entry.CompressedSize64) + descriptor
		directory += directoryHeader + named
	}
	if at+directory != size {
		return fmt.Errorf("it has %d bytes, and its files take %d: something was put between or behind them; "+
			"get the bundle again from where it was made", size, at+directory)
	}
	return nil
}

// read does not believe the size that the archive tells.
func read(entry *zip.File, most int64) ([]byte, error) {
	r, err := entry.Open()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(int(min(entry.UncompressedSize64, uint64(most))) + bytes.MinRead) // a buffer that grows takes up to three times as much
	n, err := io.Copy(&b, io.LimitReader(r, most+1))
	if n > most {
		return nil, errors.Join(fmt.Errorf("it unpacks to more than %d bytes", most), r.Close())
	}
	if b.Len() == 0 {
		return []byte{}, errors.Join(err, r.Close())
	}
	return b.Bytes(), errors.Join(err, r.Close())
}
