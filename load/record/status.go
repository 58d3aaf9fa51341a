package record

import (
	"net/http"
	"strconv"
)

// statusLine is a status as vegeta tells it among a report's errors.
func statusLine(status int) string {
	return strconv.Itoa(status) + " " + http.StatusText(status)
}
