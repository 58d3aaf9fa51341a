package clients

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// deviating are clients that break the interface, with what they break.
var deviating = []struct {
	name    string
	setting setting
	run     func(*desk)
	breaks  []spec.ID
}{
	{"no key", setting{}, with("Authorization", ""), ids("CLIENT-1")},
	{"an empty key", setting{}, with("Authorization", "Bearer "), ids("CLIENT-1")},
	{"no key for the orders", setting{}, func(d *desk) {
		p := d.program()
		p.list()
		p.do("GET", "/store/orders", "", "Authorization", "")
	}, ids("CLIENT-1")},
	{"the scheme Basic", setting{}, with("Authorization", "Basic cGV0LWtleS1vZi10aGUtZGVzay00NzExOg=="), ids("CLIENT-2")},
	{"the scheme Token", setting{}, with("Authorization", "Token "+deskKey), ids("CLIENT-2")},
	{"another scheme", setting{}, with("Authorization", "Key "+deskKey), ids("CLIENT-2")},
	{"no scheme", setting{}, with("Authorization", deskKey), ids("CLIENT-2")},
	{"a colon behind the scheme", setting{}, with("Authorization", "Bearer: "+deskKey), ids("CLIENT-2")},
	{"the key in quotation marks", setting{}, with("Authorization", `Bearer "`+deskKey+`"`), ids("CLIENT-2")},
	{"the key in brackets", setting{}, with("Authorization", "Bearer <"+deskKey+">"), ids("CLIENT-2")},
	{"the words of the documentation", setting{}, with("Authorization", "Bearer <API_KEY>"), ids("CLIENT-2")},
	{"the scheme twice", setting{}, with("Authorization", "Bearer Bearer "+deskKey), ids("CLIENT-2")},
	{"the scheme twice in lower case, in quotation marks", setting{}, with("Authorization", `bearer bearer "`+deskKey+`"`), ids("CLIENT-2")},
	{"the key and a comma", setting{}, with("Authorization", "Bearer "+deskKey+","), ids("CLIENT-2")},
	{"two credentials", setting{}, with("Authorization", "Bearer "+deskKey+"|Bearer "+deskKey), ids("CLIENT-2")},
	{"the key in X-Api-Key", setting{}, func(d *desk) {
		d.program().do("GET", "/pets", "", "Authorization", "", "X-Api-Key", deskKey)
	}, ids("CLIENT-2")},
	{"the key in the query", setting{}, func(d *desk) {
		d.program().do("GET", "/pets?api_key="+deskKey, "", "Authorization", "")
	}, ids("CLIENT-2")},
	{"bearer in lower case", setting{}, with("Authorization", "bearer "+deskKey), ids("CLIENT-3")},

	{"three retries at once", setting{}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 3, func(answer) time.Duration { return 0 })
	}, ids("CLIENT-4")},
	{"a loop that does not wait", setting{}, func(d *desk) {
		p := d.freshProgram()
		again(p, p.spend(), 100, func(answer) time.Duration { return time.Millisecond })
	}, ids("CLIENT-4", "CLIENT-5", "CLIENT-6")},
	{"half the wait", setting{}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 2, func(a answer) time.Duration { return a.wait() / 2 })
	}, ids("CLIENT-4")},
	{"exponential backoff without Retry-After", setting{}, func(d *desk) {
		p := d.program()
		wait := 500 * time.Millisecond
		again(p, p.spend(), 7, func(answer) time.Duration { wait *= 2; return wait / 2 })
	}, ids("CLIENT-4", "CLIENT-6")},
	{"two seconds each time", setting{}, func(d *desk) {
		p := d.freshProgram()
		again(p, p.spend(), 20, func(answer) time.Duration { return 2 * time.Second })
	}, ids("CLIENT-4", "CLIENT-5", "CLIENT-6")},
	{"waits that fall", setting{}, func(d *desk) {
		p := d.program()
		wait := 16 * time.Second
		again(p, p.spend(), 6, func(answer) time.Duration { wait /= 2; return wait })
	}, ids("CLIENT-4", "CLIENT-5", "CLIENT-6")},
	{"another operation while it waits", setting{}, func(d *desk) {
		p := d.program()
		a := p.spend()
		time.Sleep(5 * time.Second)
		p.do("POST", "/pets", `{"name":"Rex","categoryId":1}`)
		time.Sleep(a.wait())
		p.list()
	}, ids("CLIENT-4")},
	{"Retry-After in milliseconds", setting{}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 3, func(a answer) time.Duration { return a.wait() / 1000 })
	}, ids("CLIENT-4")},
	{"a date that is not read", setting{freedoms: []string{"retry-after-date"}}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 2, func(answer) time.Duration { return time.Second })
	}, ids("CLIENT-4")},
	{"one thread waits, the other does not", setting{clients: 1}, func(d *desk) {
		p, q := d.program(), d.program()
		q.list()
		p.spend()
		time.Sleep(10 * time.Second)
		q.list()
	}, ids("CLIENT-4")},
	{"twelve workers who each try again after 10 ms", setting{perMinute: 4, command: true, freedoms: []string{"slow"}}, func(d *desk) { fanOut(d, 11) }, ids("CLIENT-4", "CLIENT-6")},
	{"64 workers who send 600 requests within the second after the first 429", setting{command: true, freedoms: []string{"slow"}}, func(d *desk) {
		p := d.program()
		threads(64, func(int) {
			for range 11 {
				p.list()
			}
		})
	}, ids("CLIENT-4", "CLIENT-6")},
	{"one early request on a new connection", setting{clients: 1}, func(d *desk) {
		p := d.freshProgram()
		p.spend()
		time.Sleep(10 * time.Second)
		p.list()
	}, ids("CLIENT-4")},
	{"a pool that goes on three seconds after the 429", setting{clients: 1}, func(d *desk) { pool(d, 3*time.Second) }, ids("CLIENT-4", "CLIENT-6")},
	{"a pool that goes on over the connection of the 429", setting{clients: 1}, func(d *desk) {
		pool(d, 200*time.Millisecond)
		time.Sleep(time.Second)
		p := d.program()
		again(p, p.list(), 1, func(answer) time.Duration { return 0 })
	}, ids("CLIENT-4")},
	{"one second of two", setting{minute: 2 * time.Second, perMinute: 5}, func(d *desk) {
		p := d.program()
		time.Sleep(300 * time.Millisecond)
		again(p, p.spend(), 1, func(a answer) time.Duration { return a.wait() - time.Second })
	}, ids("CLIENT-4")},
	{"three copies where two were said", setting{clients: 2}, func(d *desk) {
		for i := range 3 {
			d.freshProgram().spend()
			time.Sleep(time.Duration(i) * time.Second)
		}
	}, ids("CLIENT-4")},
	{"a loop at a Retry-After of one second", setting{minute: time.Second, perMinute: 5}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 20, func(answer) time.Duration { return 10 * time.Millisecond })
	}, ids("CLIENT-4", "CLIENT-5", "CLIENT-6")},
	{"a second exactly, ten times", setting{minute: time.Second, perMinute: 5, freedoms: []string{"others-spend-the-refill"}}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 10, func(a answer) time.Duration { return a.wait() + 10*time.Millisecond })
	}, ids("CLIENT-5")},
	{"hammering into a ban", setting{freedoms: []string{"ban-after-five"}}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 8, func(answer) time.Duration { return 100 * time.Millisecond })
	}, ids("CLIENT-4", "CLIENT-5", "CLIENT-6")},

	{"limit 0", setting{}, get("/pets?limit=0"), ids("CLIENT-8")},
	{"limit 101", setting{}, get("/pets?limit=101"), ids("CLIENT-8")},
	{"limit -1", setting{}, get("/pets?status=sold&limit=-1"), ids("CLIENT-8")},
	{"limit undefined", setting{}, get("/pets?limit=undefined"), ids("CLIENT-8")},
	{"an empty limit", setting{}, get("/pets?limit="), ids("CLIENT-8")},
	{"a limit that the service clamps", setting{freedoms: []string{"limit-clamped"}}, get("/pets?limit=1000"), ids("CLIENT-8")},
	{"a status in capitals", setting{}, get("/pets?status=Available"), ids("CLIENT-9")},
	{"an empty status", setting{}, get("/pets?status="), ids("CLIENT-9")},
	{"two statuses in one", setting{}, get("/pets?status=available,sold"), ids("CLIENT-9")},

	{"no media type", setting{}, func(d *desk) {
		d.program().do("POST", "/pets", `{"name":"Rex","categoryId":1}`, "Content-Type", "")
	}, ids("CLIENT-10")},
	{"JSON as text", setting{}, func(d *desk) {
		d.program().do("POST", "/pets", `{"name":"Rex","categoryId":1}`, "Content-Type", "text/plain")
	}, ids("CLIENT-10")},
	{"a form", setting{}, func(d *desk) {
		d.program().do("POST", "/pets", `name=Rex&categoryId=1`, "Content-Type", "application/x-www-form-urlencoded")
	}, ids("CLIENT-10", "CLIENT-11")},
	{"no body", setting{}, post(""), ids("CLIENT-11")},
	{"no name", setting{}, post(`{"categoryId":1}`), ids("CLIENT-11")},
	{"a name that is null", setting{}, post(`{"name":null,"categoryId":1}`), ids("CLIENT-11")},
	{"a category as a string", setting{}, post(`{"name":"Rex","categoryId":"1"}`), ids("CLIENT-11")},
	{"a category beyond int64", setting{}, post(`{"name":"Rex","categoryId":9223372036854775808}`), ids("CLIENT-11")},
	{"an empty status of a NewPet", setting{}, post(`{"name":"Rex","categoryId":1,"status":""}`), ids("CLIENT-11")},
	{"members in another spelling", setting{}, post(`{"Name":"Rex","CategoryID":1}`), ids("CLIENT-11")},
	{"a list of NewPets", setting{}, post(`[{"name":"Rex","categoryId":1}]`), ids("CLIENT-11")},

	{"petId undefined", setting{}, get("/pets/undefined"), ids("CLIENT-12", "CLIENT-14")},
	{"petId 7.0", setting{}, get("/pets/7.0"), ids("CLIENT-12", "CLIENT-14")},
	{"an id through a float64", setting{animals: 3, freedoms: []string{"ids-beyond-2-53"}}, sendBack(func(id int64) string {
		return fmt.Sprintf("%.0f", float64(id))
	}), ids("CLIENT-13", "CLIENT-14")},
	{"a random id as a script writes it", setting{animals: 3, freedoms: []string{"ids-random"}}, sendBack(func(id int64) string {
		return strconv.FormatFloat(float64(id), 'f', -1, 64)
	}), ids("CLIENT-13", "CLIENT-14")},
	{"an id of its own exactly, and one of a listing through a float64", setting{animals: 3, freedoms: []string{"ids-random"}}, func(d *desk) {
		sendBack(func(id int64) string { return fmt.Sprint(id) })(d)
		sendBack(func(id int64) string { return fmt.Sprintf("%.0f", float64(id)) })(d)
	}, ids("CLIENT-13", "CLIENT-14")},
	{"an id as a script writes it", setting{animals: 3, freedoms: []string{"ids-near-the-end"}}, sendBack(func(int64) string {
		return "9223372036854776000"
	}), ids("CLIENT-12", "CLIENT-14")},
	{"an id rounded to 2^63", setting{animals: 3, freedoms: []string{"ids-near-the-end"}}, sendBack(func(id int64) string {
		return fmt.Sprintf("%.0f", float64(id))
	}), ids("CLIENT-12", "CLIENT-14")},
	{"one request too early after each of six 429s, and then the wait", setting{minute: 3 * time.Second, perMinute: 5, freedoms: []string{"others-spend-the-refill"}}, func(d *desk) {
		p, tries := d.program(), 0
		again(p, p.spend(), 12, func(a answer) time.Duration {
			if tries++; tries%2 == 1 {
				return 50 * time.Millisecond
			}
			return a.wait() + 300*time.Millisecond<<(tries/2)
		})
	}, ids("CLIENT-4")},
	{"twelve requests with a wrong key", setting{}, func(d *desk) {
		d.program().list() // so that a key of the service was seen
		p := d.program()
		p.set.Set("Authorization", "Bearer another-key")
		for range 12 {
			p.list()
		}
	}, ids("CLIENT-6")},
	{"an id with an exponent", setting{animals: 3, freedoms: []string{"ids-random", "malformed-petid-400"}}, sendBack(func(id int64) string {
		return fmt.Sprint(float64(id))
	}), ids("CLIENT-12", "CLIENT-14")},
	{"an id cut to 32 bits", setting{animals: 3, freedoms: []string{"ids-random"}}, sendBack(func(id int64) string {
		return fmt.Sprint(int32(id))
	}), ids("CLIENT-13", "CLIENT-14")},
	{"a category through a float64", setting{freedoms: []string{"odd-animals"}}, func(d *desk) {
		p := d.program()
		p.do("GET", "/pets?limit=100", "")
		p.do("POST", "/pets", `{"name":"Rex","categoryId":9007199254740992}`)
	}, ids("CLIENT-13")},
	{"getPet", setting{animals: 1}, get("/pets/1"), ids("CLIENT-14")},
	{"getPet, and numbers that a person chose", setting{animals: 3, freedoms: []string{"odd-animals", "ids-beyond-2-53"}}, func(d *desk) {
		p := d.program()
		p.do(http.MethodGet, "/pets?limit=100", "")
		p.do(http.MethodPost, "/pets", `{"name":"Rex","categoryId":1}`)
		p.do(http.MethodGet, "/pets/1", "")
	}, ids("CLIENT-14")},
	{"getPet of ids that no animal has", setting{animals: 3, freedoms: []string{"ids-near-the-end"}}, func(d *desk) {
		p := d.program()
		p.do(http.MethodGet, "/pets?limit=2", "")
		p.do(http.MethodGet, "/pets/0", "")
		p.do(http.MethodGet, "/pets/-1", "")
		p.do(http.MethodGet, "/pets/2147483647", "")
		p.do(http.MethodGet, "/pets/9223372036854775807", "")
	}, ids("CLIENT-14")},
	{"no v1", setting{}, get("//pets"), ids("CLIENT-15")},
	{"v2", setting{}, get("//v2/pets/7"), ids("CLIENT-15")},
	{"a base that ends in a slash", setting{}, get("///v1/pets"), ids("CLIENT-15")},
	{"a slash too many before the path", setting{}, get("//v1//pets?limit=2"), ids("CLIENT-15")},
	{"a slash too many behind the path", setting{}, get("/pets/"), ids("CLIENT-15")},
	{"v1 twice", setting{}, get("/v1/store/orders"), ids("CLIENT-15")},
}

func ids(all ...spec.ID) []spec.ID { return all }

func with(header, value string) func(*desk) {
	return func(d *desk) { d.program().do("GET", "/pets", "", header, value) }
}

// get lists, so that an operation was called, and sends a GET.
func get(path string) func(*desk) {
	return func(d *desk) {
		p := d.program()
		p.list()
		p.do(http.MethodGet, path, "")
	}
}

func post(body string) func(*desk) {
	return func(d *desk) { d.program().do(http.MethodPost, "/pets", body, "Content-Type", "application/json") }
}

// again lists some times, after a wait that follows from the response before.
func again(p *program, last answer, times int, wait func(answer) time.Duration) {
	for range times {
		time.Sleep(wait(last))
		last = p.list()
	}
}

// sendBack asks for an animal that a listing shows, by an id that went through write.
func sendBack(write func(int64) string) func(*desk) {
	return func(d *desk) {
		p := d.program()
		_, after, _ := strings.Cut(p.list().body, `"id":`)
		var id int64
		if _, err := fmt.Sscan(after, &id); err != nil {
			d.t.Fatal(err)
		}
		p.do(http.MethodGet, "/pets/"+write(id), "")
	}
}

func TestDeviatingClientsAreCaught(t *testing.T) {
	for _, c := range deviating {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := judged(t, c.setting, c.run)
			if got := failed(r); !slices.Equal(got, c.breaks) {
				t.Errorf("broken: %v, want %v\n%s", got, c.breaks, told(r))
			}
			must := slices.ContainsFunc(c.breaks, func(id spec.ID) bool { q, _ := spec.TheLedger().Find(id); return q.Level == spec.Must })
			if must != (r.Verdict == verdict.Deviates) {
				t.Errorf("the run %s (%v)", r.Verdict, r.Reasons)
			}
		})
	}
}
