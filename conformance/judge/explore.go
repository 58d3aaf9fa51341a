package judge

// ExploreID is the id of the exploration among the subjects.
const ExploreID = "explore"

var exploration = Subject{ID: ExploreID, Title: "Generated sequences of requests", Container: exploreContainer,
	Labels: []string{ExploreID}, judge: func(*Run) Judgement { return Judgement{} }}
