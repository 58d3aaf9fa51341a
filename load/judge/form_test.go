package judge

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// Exchanges of one form are judged as if each were read, whatever the headers and the status are.
func TestOneReadingOfEachForm(t *testing.T) {
	for seed := range uint64(40) {
		dice := rand.New(rand.NewPCG(seed, 1))
		pick := func(all ...string) string { return all[dice.IntN(len(all))] }
		// Each seed has values of its own, so that some have few forms and some nearly as many as exchanges.
		limits, left, few := []string{"60", pick("60", "1000", "-1", "0")}, []string{"59", pick("0", "61", "2000", "-5", "many")}, 1+dice.IntN(5)
		rec := tellStory(func(s *story) {
			for range 200 {
				s.headers = http.Header{"X-Ratelimit-Limit": {pick(limits...)}, "X-Ratelimit-Remaining": {pick(left...)},
					"X-Ratelimit-Reset": {fmt.Sprint(begun.Add(s.now).Unix() + int64(dice.IntN(few)-1)*100_000)}}
				if dice.IntN(20) == 0 {
					delete(s.headers, pick("X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"))
				}
				if dice.IntN(20) == 0 {
					s.headers["Date"] = []string{"yesterday"}
				}
				s.wait, s.took = dice.IntN(200_000), []time.Duration{time.Millisecond, time.Second, 10 * time.Second}[dice.IntN(3)]
				if dice.IntN(4) == 0 { // passed before the response
					s.headers["X-Ratelimit-Reset"] = []string{fmt.Sprint(begun.Add(s.now).Unix() - int64(dice.IntN(20)))}
				}
				s.answer(record.Fill, 1, record.Spend, []int{200, 200, 429, 500, 201}[dice.IntN(5)])
				s.now += time.Duration(dice.IntN(3000)) * time.Millisecond
			}
		})
		h, like := read(rec, views(rec)[0].own)
		want, wantSeen := rules.Judge(rules.All(), h)
		got, gotSeen := rules.JudgeAlike(rules.All(), h, like)
		for i := range want {
			for _, c := range []verdict.Check{got[i], want[i]} { // a load run keeps no cases
				for j := range c.Findings {
					c.Findings[j].Cases = nil
				}
			}
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("seed %d: %s\nread once for each form:    %+v\nread for each exchange: %+v", seed, want[i].ID, got[i], want[i])
			}
		}
		if !reflect.DeepEqual(gotSeen, wantSeen) {
			t.Errorf("seed %d: %v and %v are observed", seed, gotSeen, wantSeen)
		}
	}
}
