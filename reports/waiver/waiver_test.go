package waiver

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
	"petconform/spec"
	"petconform/spec/verdict"
)

const entry = `
  - id: W-1
    requirement: LIST-5
    reason: soon
    risk: large listings
    ticket: PETS-412
    owner: Ada Vance
    approver: Noor Idris
    from: 2026-03-01
    ends: 2026-04-01
`

func TestParse(t *testing.T) {
	if f, err := Parse([]byte(entry)); err != nil || len(f.Waivers) != 1 {
		t.Fatalf("%+v, %v", f, err)
	}
	for _, row := range []struct{ name, from, to, wants string }{
		{"unknown member", "reason: soon", "because: soon", "line 4: field because not found"},
		{"no reason", "reason: soon", `reason: ""`, "waiver 1, \"W-1\": missing or empty: reason"},
		{"no ticket and no owner", "ticket: PETS-412\n    owner: Ada Vance", "ticket:", "missing or empty: ticket, owner"},
		{"id with blanks", "id: W-1", "id: W 1", "letters, digits"},
		{"nothing", "    requirement: LIST-5\n", "", "missing or empty: requirement"},
		{"no day", "2026-04-01", "next month", `line 10: "next month" is not a day; use one like 2030-12-05`},
		{"ends before", "ends: 2026-04-01", "ends: 2026-03-01", "ends must be after from"},
		{"for ever", "ends: 2026-04-01", "ends: 2036-04-01", "at most a year"},
		{"alone", "Noor Idris", "Ada Vance", "they must be two people"},
		{"list", "requirement: LIST-5", "requirement: [LIST-5, LIST-6]", "line 3: cannot unmarshal !!seq"},
		{"twice", "\n", entry, `the id "W-1" is already used`},
		{"no list", "\n", "waivers:\n", "cannot unmarshal !!map"},
		{"two documents", "ends: 2026-04-01\n", "ends: 2026-04-01\n---\n[]\n", "second document"},
		{"empty", entry, "", "the file is empty"},
	} {
		_, err := Parse([]byte(strings.Replace(entry, row.from, row.to, 1)))
		if err == nil || !strings.Contains(err.Error(), row.wants) {
			t.Errorf("%s: %v; %q is wanted", row.name, err, row.wants)
		}
	}
}

// TestTwoPeople: an approver whose name reads like the owner's is the owner. Names of any one script are taken.
func TestTwoPeople(t *testing.T) {
	const alone, mixed = "they must be two people", "mixes letters of the scripts"
	for _, row := range []struct{ owner, approver, wants string }{
		{"Ada Vance", "Noor Idris", ""},
		{"Ада Вэнс", "Ada Vance", ""},
		{"Lola Halil", "ليلى حليل", ""},
		{"रवि कुमार", "रवी कुमार", ""},
		{"山田エイダ Ada", "김민수 Noor", ""},
		{"Ольга Петрова", "Ada Vance", ""},
		{"Zoë O'Neil-Smith 2nd", "Νίκος Παππάς", ""},
		{"ada@example.org", "noor@example.org", ""},
		{"Ada Vance", "ADA VANCE", alone},
		{"Ada Vance", "Ada  Vance ", alone},
		{"Ada Vance", "Ada\u00a0Vance", alone},
		{"Ada Vance", "Ada\u200b Vance", alone},
		{"Ada Vance", "Ada\u034f Vance", alone},
		{"Ada Vance", "Ａｄａ Ｖａｎｃｅ", alone},
		{"Ada Vance", "𝐀𝐝𝐚 𝐕𝐚𝐧𝐜𝐞", alone},
		{"Zoë", "Zoe\u0308", alone},
		{"Ada Vance", "A. d. a Vance!", alone},
		{"Straße", "STRASSE", alone},
		{"Ada Vance", "Ada Vàncé", alone},
		{"Ada", "Аԁа", alone},
		{"Bill", "BiIl", alone},
		{"NOOR IDRIS", "N00r ldr1s", alone},
		{"max", "МАХ", alone},
		{"Søren Łukasz", "Soren Lukasz", alone},
		{"Ada Vance", "Аda Vance", mixed + " Cyrillic and Latin"},
		{"Ada Vance", "Ada Vanϲe", mixed + " Greek and Latin"},
		{"Аda Vance", "Noor Idris", "owner: "},
		{"Ada Vance", "山田 Ада", mixed + " Cyrillic and Han"},
		{"Ada Vance", "123", "it has no letter"},
	} {
		w := Waiver{Owner: row.owner, Approver: row.approver}
		err := w.twoPeople()
		if row.wants == "" && err != nil || row.wants != "" && (err == nil || !strings.Contains(err.Error(), row.wants)) {
			t.Errorf("owner %q, approver %q: %v; %q is wanted", row.owner, row.approver, err, row.wants)
		}
	}
}

// TestApply: a waiver excuses what it names, while it is in force, and nothing else.
func TestApply(t *testing.T) {
	for _, row := range []struct {
		name, from, to string
		state          State
		list5, create9 verdict.Verdict
	}{
		{"used", "", "", Used, verdict.Waived, verdict.Failed},
		{"unused", "requirement: LIST-5", "requirement: LIST-1", Unused, verdict.Failed, verdict.Failed},
		{"unknown", "requirement: LIST-5", "requirement: LIST-555", Unknown, verdict.Failed, verdict.Failed},
		{"expired", "from: 2026-03-01\n    ends: 2026-04-01", "from: 2026-02-01\n    ends: 2026-03-02", Expired, verdict.Failed, verdict.Failed},
		{"last day", "from: 2026-03-01\n    ends: 2026-04-01", "from: 2026-02-01\n    ends: 2026-03-03", Used, verdict.Waived, verdict.Failed},
		{"early", "from: 2026-03-01", "from: 2026-03-03", Early, verdict.Failed, verdict.Failed},
	} {
		f, err := Parse([]byte(strings.Replace(entry, row.from, row.to, 1)))
		if err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		before := sample.New().Results
		res, uses := Apply(before, f)
		if uses[0].State != row.state || of(res, "LIST-5") != row.list5 || of(res, "CREATE-9") != row.create9 {
			t.Errorf("%s: the waiver is %s, LIST-5 %s, CREATE-9 %s; %s, %s, %s are wanted", row.name, uses[0].State, of(res, "LIST-5"), of(res, "CREATE-9"), row.state, row.list5, row.create9)
		}
		if res.Verdict != verdict.Deviates || of(before, "LIST-5") != verdict.Failed {
			t.Errorf("%s: the run %s, the results before LIST-5 %s; neither may change", row.name, res.Verdict, of(before, "LIST-5"))
		}
	}
}

// TestHalfExcused: a check that breaks two requirements is not waived by a waiver for one.
func TestHalfExcused(t *testing.T) {
	f, err := Parse([]byte(entry))
	if err != nil {
		t.Fatal(err)
	}
	res := sample.New().Results
	for i := range res.Checks {
		if c := &res.Checks[i]; c.ID == "list-5" {
			c.Findings = append(c.Findings, verdict.Finding{Requirement: "LIST-3", Exchange: 1, Message: "another"})
		}
	}
	res, _ = Apply(res, f)
	for _, c := range res.Checks {
		if c.ID == "list-5" && c.Verdict != verdict.Failed {
			t.Errorf("the check is %s although one of its findings is not excused", c.Verdict)
		}
	}
	if v := of(res, "LIST-5"); v != verdict.Waived {
		t.Errorf("LIST-5 is %s; waived is wanted, by requirement", v)
	}
}

// TestReadme: the waiver in README.md, as someone copies it, excuses the requirement that it names.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`(?m)^    - id: .*\n(    .*\n)+`).Find(text)
	f, err := Parse(shown)
	if err != nil || len(f.Waivers) != 1 {
		t.Fatalf("%v, %v in README.md:\n%s", f, err, shown)
	}
	res := sample.New().Results
	res.Ended = f.Waivers[0].From.Time
	if res, uses := Apply(res, f); of(res, "LIST-5") != verdict.Waived || uses[0].State != Used {
		t.Errorf("LIST-5 is %s, the waiver %s", of(res, "LIST-5"), uses[0].State)
	}
}

// TestUntold: a waiver of a requirement excuses that it could not be told, where nothing else keeps the run from conforming.
func TestUntold(t *testing.T) {
	f, err := Parse([]byte(entry))
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		untold []spec.ID
		want   verdict.Verdict
	}{"alone": {[]spec.ID{"LIST-5"}, verdict.Waived}, "beside something else": {nil, verdict.Inconclusive}} {
		res := sample.Good().Results
		res.Verdict, res.Inconclusive = verdict.NoVerdict, row.untold
		for i := range res.Requirements {
			if r := &res.Requirements[i]; r.ID == "LIST-5" {
				r.Verdict, r.Reason = verdict.Inconclusive, "the store is full"
			}
		}
		waived, uses := Apply(res, f)
		if got := of(waived, "LIST-5"); got != row.want || waived.Verdict != verdict.NoVerdict || (uses[0].State == Used) != (row.want == verdict.Waived) {
			t.Errorf("%s: LIST-5 is %s, the waiver %s, the run %s; %s is wanted, and no verdict of the run", name, got, uses[0].State, waived.Verdict, row.want)
		}
	}
}

func of(res verdict.Results, id spec.ID) verdict.Verdict {
	for _, r := range res.Requirements {
		if r.ID == id {
			return r.Verdict
		}
	}
	return ""
}
