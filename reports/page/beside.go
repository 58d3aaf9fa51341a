package page

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"

	"petconform/spec"
)

// Most is the largest size of a page, in bytes. From a larger page, which would be slow to open, bodies move into files of their
// own.
const Most = 5 << 20

// bodyKept is the size of the largest body that stays in the page in any case, in bytes: a link to its file would be as long.
const bodyKept = 256

// Body is a complete body in a file beside the page. The file is named by the digest of the body, so that equal bodies share a
// file and a change can be detected. Its suffix is .txt, so that a browser shows it as text whatever the target sent.
type Body struct {
	Name, Digest string
	Data         []byte
}

var bodyName = regexp.MustCompile(`^bodies/[0-9a-f]{64}\.txt$`)

// IsBody reports whether name is the path of a body beside a page.
func IsBody(name string) bool { return bodyName.MatchString(name) }

// move puts a body beside the page.
func (v *view) move(data []byte) Body {
	sum := digest(data)
	b, there := v.beside[sum]
	if !there {
		b = Body{"bodies/" + sum + ".txt", sum, data}
		v.beside[sum] = b
	}
	return b
}

// Moved returns the number of bodies beside the page in words, or "" if there are none.
func (v *view) Moved() string {
	switch n := len(v.beside); n {
	case 0:
		return ""
	case 1:
		return "1 body"
	default:
		return spec.Number(n) + " bodies"
	}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
