package signoff

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// PublicKey is an SSH public key in the form in which it is sent (RFC 4253, section 6.6): fields that each follow their
// length. The first field is the type of the key.
type PublicKey []byte

// KeyOf returns the public key in a signature by ssh-keygen. The format is OpenSSH's PROTOCOL.sshsig: a magic, a
// version and the key. Anything else is an error.
func KeyOf(signature []byte) (PublicKey, error) {
	block, _ := pem.Decode(signature)
	const head = len("SSHSIG") + 4
	if block == nil || block.Type != "SSH SIGNATURE" || len(block.Bytes) < head {
		return nil, errors.New("not a signature by ssh-keygen")
	}
	key, complete := field(block.Bytes[head:])
	if !complete {
		return nil, errors.New("the signature is cut off within its public key")
	}
	return key, nil
}

// field returns the first of the fields that each follow their length; complete is false if data is shorter than that
// length.
func field(data []byte) (value []byte, complete bool) {
	if len(data) < 4 {
		return nil, false
	}
	n := binary.BigEndian.Uint32(data)
	if uint64(n) > uint64(len(data)-4) {
		return nil, false
	}
	return data[4 : 4+n], true
}

// Fingerprint names a key as ssh-keygen -l does.
func (k PublicKey) Fingerprint() string {
	sum := sha256.Sum256(k)
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
}

// SignersLine returns the line of a file of allowed signers (ssh-keygen(1), ALLOWED SIGNERS) by which a name may sign
// with the key. The line is for this namespace alone. Characters of the name that mean something in the file, such as a
// space or an asterisk, become hyphens.
func (k PublicKey) SignersLine(name string) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("@._+-", r) {
			return r
		}
		return '-'
	}, name), "-")
	if name == "" {
		name = "signer"
	}
	kind, _ := field(k)
	return fmt.Sprintf(`%s namespaces="%s" %s %s`, name, Namespace, kind, base64.StdEncoding.EncodeToString(k))
}

// certificate reports whether k is a certificate. One key may have many, so they do not tell signers apart.
func (k PublicKey) certificate() bool {
	kind, _ := field(k)
	return bytes.Contains(kind, []byte("-cert-v"))
}

// listed reports whether a file of allowed signers has a key, byte for byte. So a key that is written in another way
// does not pass as a further signer.
func (k PublicKey) listed(signers []byte) bool {
	for line := range bytes.Lines(signers) {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) {
			continue
		}
		for _, word := range bytes.Fields(line) {
			if data, err := base64.StdEncoding.DecodeString(string(word)); err == nil && bytes.Equal(data, k) {
				return true
			}
		}
	}
	return false
}
