package reference

// deprecationAs makes a deviation that announces the removal otherwise.
func deprecationAs(name, suffers, header, value string) Deviation {
	return Deviation{
		Name: name, Breaks: ids("GET-4"), Suffers: suffers,
		apply: func(b *behaviour) {
			announce := b.sunset
			b.sunset = func(c *call) {
				announce(c)
				c.setHeader(header, value)
			}
		},
	}
}

var deprecationDeviations = []Deviation{
	deprecationAs("sunset-next-year", "Clients plan with a year that they do not have.", "Sunset", "Fri, 05 Dec 2031 00:00:00 GMT"),
	deprecationAs("sunset-month-and-day-swapped", "Clients stop seven months early.", "Sunset", "Sun, 12 May 2030 00:00:00 GMT"),
	deprecationAs("sunset-three-days-early", "Clients stop before the removal.", "Sunset", "Mon, 02 Dec 2030 00:00:00 GMT"),
	deprecationAs("sunset-a-week-late", "Clients call an operation that is gone.", "Sunset", "Thu, 12 Dec 2030 00:00:00 GMT"),
	deprecationAs("sunset-past", "Clients take the operation for gone while it works.", "Sunset", "Thu, 05 Dec 2019 00:00:00 GMT"),
	deprecationAs("sunset-iso", "A client that expects an HTTP date cannot read it.", "Sunset", "2030-12-05T00:00:00Z"),
	deprecationAs("sunset-unix", "A client that expects an HTTP date cannot read it.", "Sunset", "1922659200"),
	deprecationAs("sunset-word", "A client that expects an HTTP date cannot read it.", "Sunset", "soon"),
	deprecationAs("deprecation-word", "A client that expects a date cannot read it.", "Deprecation", "deprecated"),
	deprecationAs("deprecation-after-sunset", "The operation is to be deprecated after it is gone.", "Deprecation", "@1956528000"),
	deprecationAs("deprecation-milliseconds", "The operation is to be deprecated in fifty thousand years.", "Deprecation", "@1735689600000"),
}
