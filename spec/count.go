package spec

import "fmt"

// Count tells a number of things: "1 animal", "2 animals".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
