package invalid

import "strings"

// UnknownIDs are int64s that few services assign: the positions of a list's beginning and, in Python, its end, and the
// bounds of the integers that services may store: 404. 1 is not among them: a store may have that animal and show it in
// no page.
var UnknownIDs = []string{
	"0", "-1", "2147483648", "4294967296", "9007199254740993", "9223372036854775807", "-9223372036854775808",
	"-2147483649",
}

// NoInt64 are petIds that are not int64s, escaped for a path: 400 or 404. The first NoInt64Quick are those of a quick run.
var NoInt64 = []string{
	"9223372036854775808", "abc", "h%C3%BCndin", "1.5", "1e0", strings.Repeat("9", 300), "18446744073709551617", "%20", "null", "1,2",
	"0x1", "NaN", "%E2%91%A0", "%zz", "%FF",
}

// NoInt64Quick is the number of petIds in NoInt64 that a quick run sends.
const NoInt64Quick = 2
