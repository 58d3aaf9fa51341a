package spec

import "fmt"

// Count returns a number of things in singular or plural: "1 animal", "2 animals".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
