package plan

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/spec"
	"petconform/spec/invalid"
)

var createChecks = slices.Concat([]Check{
	{ID: "create-statuses", Title: "createPet with each status", Operation: spec.CreatePet, Proves: "CREATE-1", Animals: true, In: Statuses, Rows: []Row{
		// Their names are as long as each other, so that none is refused for its length.
		pet("sold", `"petconform-%r-soldxxxxx"`, "%c", spec.Sold),
		pet("pending", `"petconform-%r-pendingxx"`, "%c", spec.Pending),
		pet("available", `"petconform-%r-available"`, "%c", spec.Available),
	}},
	{ID: "create-without-status", Title: "createPet without a status", Operation: spec.CreatePet, Proves: "CREATE-14", Also: ids("CREATE-15", "CREATE-1"), Animals: true, In: Valid,
		Needs: []string{"create-statuses"}, Rows: []Row{
			called(`"None"`, pet("no-status", "%n", "%c", "").breaks("CREATE-14").unless("create-statuses/available")),
		}},
	{ID: "create-names", Title: "createPet with names in other scripts and with marks", Operation: spec.CreatePet, Proves: "CREATE-1",
		Also: ids("CREATE-17"), Animals: true, In: Valid, Rows: names},
	{ID: "create-category", Title: "createPet with a categoryId beyond 2^53, below 0 and of 0", Operation: spec.CreatePet, Proves: "CREATE-1",
		Also: ids("PET-5"), Animals: true, In: Valid, Rows: []Row{
			// With names that a service may read as none, as a number, or as what every object of JavaScript has.
			category("beyond-2^53", `"NaN"`, 1<<53+1),
			category("largest", `"1e3"`, math.MaxInt64).full(),
			category("smallest", `"constructor"`, math.MinInt64).full(),
			// With names that it may take for that of another animal, where it folds capitals or accents.
			category("negative", `"PETCONFORM-%R-AVAILABLE"`, -1000), // a decimal type may write -1E+3
			category("zero", `"petconform-%r-àvàilàble"`, 0),
		}},
	{ID: "create-parallel", Title: "createPet, five at the same time", Operation: spec.CreatePet, Proves: "CREATE-1", Also: ids("CREATE-17"), Animals: true, In: Valid,
		Rows: parallel},
	{ID: "create-as-clients-do", Title: "createPet as other clients send it", Operation: spec.CreatePet, Proves: "CREATE-1", Animals: true, In: Valid,
		Rows: asClients},
	{ID: "create-id", Title: "createPet with an id in the body", Operation: spec.CreatePet, Proves: "CREATE-1", In: Valid,
		Needs: []string{"create-statuses"}, Rows: []Row{
			// A service may refuse a body with an id. The second one is that of an animal of the run, which stays as it is.
			post("id", `{"id":{chosen},"name":"petconform-%r-AVAILABLE","categoryId":%c,"status":"available"}`, "CREATE-1", 201).lenient(),
			called(`"__proto__"`, post("own-id", `{"id":{create-statuses/pending},"name":%n,"categoryId":%c,"status":"available"}`, "CREATE-1", 201).lenient()),
		}},
}, refused(), []Check{
	{ID: "create-refused-leaves-nothing", Title: "A refused createPet leaves nothing behind", Operation: spec.CreatePet, Proves: "CREATE-12",
		Also: ids("AUTH-6"), In: Created, Needs: append(refusals, "list-created"), Idle: "a listing shows the whole store", More: lookAround, Like: get("", "")},
	{ID: "create-open", Title: "createPet with what the interface leaves open", Operation: spec.CreatePet, Proves: "CREATE-16",
		Also: ids("CREATE-17", "CREATE-18", "CREATE-19", "CREATE-20"), In: Opening, Rows: openBodies},
	fill,
})

// names are strings that services mishandle. A name is any string (Resources / NewPet). Where limits on lengths,
// control characters and characters beyond the Basic Multilingual Plane are refused, that is open.
var names = []Row{
	// Several scripts, capitals beyond ASCII, combining accents, and what is special in HTML, SQL, URLs and templates.
	// No white space is at its end, and with the name of the run it has at most 64 bytes.
	pet("scripts-and-marks", quoted("petconform-%r-Ñ猫ق e\u0301\u212B"+` '"\&amp;+%41/`+"\u2028$"), "%c", spec.Pending).apart(
		pet("scripts", quoted("petconform-%r-Ñ猫ق e\u0301\u212B"), "%c", spec.Pending),
		pet("marks", quoted("petconform-%r-"+` '"\+%41/$`), "%c", spec.Pending),
		pet("entity", quoted("petconform-%r-&amp;"), "%c", spec.Pending),
		pet("line-separator", quoted("petconform-%r-\u2028$"), "%c", spec.Pending)),
	// What stands in front of a service, or a spreadsheet behind it, may take these for an attack.
	pet("like-an-attack", quoted(`=1+1 petconform-%r <script>'; -- ../`), "%c", spec.Available).apart(
		pet("formula", quoted(`=1+1 petconform-%r`), "%c", spec.Available),
		pet("script", quoted(`petconform-%r <script>`), "%c", spec.Available),
		pet("quote", quoted(`petconform-%r'; --`), "%c", spec.Available),
		pet("path", quoted(`petconform-%r ../..`), "%c", spec.Available)),
	pet("spaces", escaped("  petconform-%r-spaces  a  b\u00a0🐈\u200d⬛\ufe0f\ufeffßﬁ“\u202e  "), "%c", spec.Available).
		lenient().asks("CREATE-17", "a name with spaces at its ends").apart(
		pet("cat", escaped("petconform-%r-🐈\u200d⬛"), "%c", spec.Available).lenient(),
		pet("at-the-ends", escaped("  petconform-%r-spaces  "), "%c", spec.Available).lenient(),
		pet("invisible", escaped("petconform-%r-\u00a0\ufe0f\ufeff\u202e."), "%c", spec.Available).lenient()),
	pet("controls", escaped("petconform-%r-\x00\a\b\t\n\r\n\x1f\u007f\u0085ı”’Ｗ\u202c\ue000end"), "%c", spec.Available).
		lenient().asks("CREATE-17", "a name with control characters").apart(
		pet("nul", escaped("petconform-%r-\x00."), "%c", spec.Available).lenient(),
		pet("other-controls", escaped("petconform-%r-\a\b\t\n\r\n\x1f\u007f\u0085."), "%c", spec.Available).lenient(),
		pet("wide", escaped("petconform-%r-ı”’Ｗ\u202c\ue000end"), "%c", spec.Available).lenient()),
	// ASCII, so that it shows lengths and what formats and templates replace.
	pet("long", quoted(`petconform-%r- %s %d $1 ${x} {{7*7}} #{1} <%=1%> \n`+strings.Repeat(" long", 187)+" end.."), "%c", spec.Available).
		lenient().asks("CREATE-17", "a name of 1,000 characters"),
	// Longer than the longest text of some databases, 4,000 bytes, and than a buffer of 4,096. Some clients ask first
	// whether to send such a body.
	expects(pet("longer", quoted("petconform-%r-"+strings.Repeat(" long", 817)+" end"), "%c", spec.Available)).
		lenient().asks("CREATE-17", "a name of 4,100 characters").full().
		apart(expects(pet("expect-continue", "%n", "%c", spec.Available))),
}

// category is a createPet with a category that services mishandle. One that does not exist may be refused.
func category(step, name string, id int64) Row {
	number := strconv.FormatInt(id, 10)
	return called(name, pet(step, "%n", number, spec.Available).lenient().asks("PET-5", "category "+number))
}

// called is a createPet with another name, which services mishandle. Its parts are the name, and what else it has.
func called(name string, r Row) Row {
	alone := r
	alone.Step += "-alone"
	r.Body = strings.Replace(r.Body, "%n", name, 1)
	return r.apart(pet(r.Step+"-name", name, "%c", spec.Available), alone)
}

// parallel are sent at the same time. Ids collide where they are not assigned atomically; the rule created-unique-ids
// compares them. The names are strings that a loosely typed language reads as false, as null or as a number, one that
// shows whether a refused "0" is due to its length, and one that another animal has.
var parallel = []Row{
	pet("name-0", `"0"`, "%c", spec.Available),
	called(`"x"`, pet("name-x", "%n", "%c", spec.Available).with(rustJSON...)),
	pet("name-null", `"null"`, "%c", spec.Pending),
	pet("name-true", `"true"`, "%c", spec.Available),
	pet("namesake", `"petconform-%r-available"`, "%c", spec.Available),
}

// asClients are sent as real clients send them.
var asClients = []Row{
	escapes("okhttp").with(okhttpJSON...).apart(
		escapes("escapes"),
		pet("charset", "%n", "%c", spec.Available).with("Content-Type", "application/json; charset=utf-8"),
		pet("no-accept", "%n", "%c", spec.Available).with("Accept", "")),
	// 411 is lawful (RFC 9112, section 6.3).
	pet("chunked", `"2024-01-31"`, "%c", spec.Available).with(python...).with("Transfer-Encoding", "chunked").breaks("CREATE-1", 201, 411).apart(
		pet("name-date", `"2024-01-31"`, "%c", spec.Available),
		pet("chunked-alone", "%n", "%c", spec.Available).with("Transfer-Encoding", "chunked").breaks("CREATE-1", 201, 411),
		pet("accept-any", "%n", "%c", spec.Available).with("Accept", "*/*"),
		pet("connection-close", "%n", "%c", spec.Available).with("Connection", "close")),
	spaced("browser", `"012345"`).with(browser...).apart(
		spaced("spaces-and-order", "%n"),
		pet("name-012345", `"012345"`, "%c", spec.Available),
		pet("accept-html", "%n", "%c", spec.Available).with(browser[2:4]...)),
}

// expects is a createPet whose body the service has to ask for. 417 is lawful (RFC 9110, section 10.1.1).
func expects(r Row) Row { return r.with("Expect", "100-continue").breaks("CREATE-1", 201, 417) }

// escapes is a body with escapes where none are needed.
func escapes(step string) Row {
	return post(step, `{"name":"petconform-%r-`+step+`\/\u0061","categoryId":%c,"st\u0061tus":"sold"}`, "CREATE-1", 201)
}

// spaced is a body with white space and its members in another order.
func spaced(step, name string) Row {
	return post(step, "{ \"status\" : \"pending\",\n\t\"categoryId\": %c ,\r\n \"name\":"+name+" }\n", "CREATE-1", 201)
}

// openBodies are bodies whose response is not shown. Rules judge it: a creation returns what was sent, and an error has
// the Error body.
var openBodies = []Row{
	openBody("null-status", "CREATE-18", "a status that is null", `{"name":%n,"categoryId":%c,"status":null}`),
	openBody("empty-name", "CREATE-17", "an empty name", `{"name":"","categoryId":%c,"status":"pending"}`),
	openBody("unknown-member", "CREATE-16", "a member that NewPet does not name", `{"name":%n,"categoryId":%c,"status":"available","petconform":true}`),
	// Without a name, so that a service which reads them creates nothing: a full run has 30 animals for the others.
	openBody("no-media-type", "CREATE-19", "a body without a name and without Content-Type", nameless).with("Content-Type", ""),
	openBody("xml", "CREATE-19", "a body without a name, declared application/xml", nameless).with("Content-Type", "application/xml").full(),
	openBody("nested", "CREATE-16", "a member nested 2,000 deep, and no name", `{"categoryId":%c,"petconform":`+strings.Repeat("[", 2000)+strings.Repeat("]", 2000)+`}`).full(),
	// Last, since a service that keeps it may fail for good.
	openBody("lone-surrogate", "CREATE-17", "a name with half of a surrogate pair",
		`{"name":"petconform-%r-\ud83d.","categoryId":%c,"status":"available"}`).full().in(Ending),
	openBody("integer-as-1.0", "CREATE-20", "a categoryId written with .0", `{"name":%n,"categoryId":%c.0,"status":"available"}`).full(),
}

const nameless = `{"categoryId":%c,"status":"available"}`

func openBody(step string, id spec.ID, about, body string) Row {
	return post(step, body, "").open(id, about).spare()
}

// refused are the checks with bodies that createPet has to refuse. Package invalid has the bodies.
func refused() (all []Check) {
	for _, t := range []struct {
		id, title string
		breaks    spec.ID
	}{
		{"create-name-missing", "400 for a body without a name", "CREATE-6"},
		{"create-category-missing", "400 for a body without a categoryId", "CREATE-7"},
		{"create-name-invalid", "400 for a name that is not a string", "CREATE-8"},
		{"create-category-invalid", "400 for a categoryId that is not an int64", "CREATE-9"},
		{"create-status-invalid", "400 for a status outside the enumeration", "CREATE-10"},
		{"create-body-invalid", "400 for a body that is not a JSON object", "CREATE-11"},
	} {
		c := Check{ID: t.id, Title: t.title, Operation: spec.CreatePet, Proves: t.breaks, In: RefusedMore}
		quick, full := invalid.Bodies(t.breaks)
		for i, b := range slices.Concat(quick, full) {
			r := refusedBody(b, t.breaks)
			r.Full = i >= len(quick)
			if i == 0 || b.First {
				r.In = Refused
			}
			for _, one := range b.Apart {
				r.Apart = append(r.Apart, refusedBody(one, t.breaks))
			}
			c.Rows = append(c.Rows, r)
		}
		all = append(all, c)
	}
	return all
}

func refusedBody(b invalid.Body, breaks spec.ID) Row {
	r := post(b.Step, b.Text, breaks, b.Gets()...)
	r.Header = b.Header
	if strings.Contains(b.Text, `\ud83d.`) { // a parser that refuses it refuses it as it does what is not JSON
		r = r.unless(cutOff)
	}
	return r
}

// cutOff is the row with a body that no parser takes for JSON.
const cutOff = "create-body-invalid/cut-off"

// refusals are the ids of the checks whose requests createPet has to refuse.
var refusals = []string{"create-name-missing", "create-category-missing", "create-name-invalid", "create-category-invalid",
	"create-status-invalid", "create-body-invalid", "auth-missing-create", "auth-invalid-create", "auth-scheme-create", "auth-first-create"}

// Animals is the name that selects the checks which create animals of each kind.
const Animals = "animals"

// lookAround asks for the animals that refused requests may have left in a store that no listing shows whole.
func lookAround(s *State) (rows []Row) {
	for _, id := range s.Unlisted {
		rows = append(rows, get("id "+id, id))
	}
	return rows
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always marshals
	return string(b)
}

// escaped is a JSON string with an escape for every character beyond ASCII, as many clients write it.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range quoted(s) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
