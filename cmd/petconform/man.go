package main

import (
	"fmt"
	"time"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"
)

// manCommand is petconform man.
type manCommand struct{}

func (manCommand) Run(c *kong.Context, std streams) error {
	_, err := fmt.Fprint(std.out, mangokong.NewManPage(1, c.Model).Build(manual{roff.NewDocument()}))
	return err
}

// manual is a manual page with the heading "User Commands" and the date of the commit, so that the same source makes the same
// page. Mango would write the description and today's date.
type manual struct{ *roff.Document }

func (m manual) Heading(section uint, title, _ string, today time.Time) {
	if made, err := time.Parse(time.RFC3339, thisBuild().date); err == nil {
		today = made
	}
	m.Document.Heading(section, title, "User Commands", today)
}
