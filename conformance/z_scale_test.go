package conformance_test
import ("testing";"time";"fmt";"net/http";"petconform/conformance";"petconform/spec";"petconform/spec/exchange";"petconform/spec/history";"petconform/spec/rules")
func big(n int, good bool) *exchange.Recording {
	rec := &exchange.Recording{Meta: exchange.Meta{Kind:"check", Target:"http://x/v1", CategoryID:1}}
	for _, c := range conformance.Checks() { rec.Meta.Planned = append(rec.Meta.Planned, c.ID) }
	for _, c := range rules.All() { rec.Meta.Planned = append(rec.Meta.Planned, c.ID) }
	rec.Meta.Planned = append(rec.Meta.Planned, "explore")
	t0 := time.Date(2026,1,1,0,0,0,0,time.UTC)
	for i := range n {
		x := exchange.Exchange{N:i+1, Check:"list-created", Step: fmt.Sprint("s", i), Auth: exchange.Key, Sent: t0.Add(time.Duration(i)*time.Millisecond), Done: 100*time.Second, Operation: spec.ListPets, Request: exchange.Request{Method:"GET", Path:"/pets?limit=100"}}
		h := http.Header{"Content-Type":{"application/json"}}
		if good { h["X-Ratelimit-Limit"]=[]string{"1000"}; h["X-Ratelimit-Remaining"]=[]string{"5"}; h["X-Ratelimit-Reset"]=[]string{"1767225660"} }
		x.Response = &exchange.Response{Status:200, Header: h, Body: []byte(`[{"id":1,"name":"a","categoryId":1}]`)}
		if i % 3 == 0 { x.Check="explore"; x.Step = fmt.Sprint(i/10, "/1 create"); x.Operation=spec.CreatePet; x.Request.Method="POST"; x.Request.Path="/pets"; x.Response.Status=201; x.Request.Body=[]byte(`{"name":"a","categoryId":1}`); x.Response.Body=[]byte(fmt.Sprintf(`{"id":%d,"name":"a","categoryId":1}`, i)) }
		rec.Exchanges = append(rec.Exchanges, x)
	}
	return rec
}
func TestScale(t *testing.T){
	for _, n := range []int{1000, 4000} { for _, good := range []bool{true,false} {
		rec := big(n, good); b := time.Now(); h := history.Of(rec)
		for _, r := range rules.All() { b := time.Now(); rules.Judge([]rules.Rule{r}, h); if d := time.Since(b); d > 60*time.Millisecond { t.Log(n, good, r.ID, d) } }
		for _, c := range conformance.Checks() { b := time.Now(); conformance.JudgeCheck(c, h); if d := time.Since(b); d > 60*time.Millisecond { t.Log(n, good, c.ID, d) } }
		b2 := time.Now(); conformance.JudgeRecording(rec)
		t.Log(n, good, time.Since(b), "whole", time.Since(b2))
	}}
}
