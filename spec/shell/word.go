// Package shell writes words of POSIX shell command lines: those of petconform and of curl that send a request again.
// No key is in them; they read it from PETCONFORM_KEY.
package shell

import "strings"

// Word makes s one word of a POSIX shell, whatever it holds.
func Word(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
