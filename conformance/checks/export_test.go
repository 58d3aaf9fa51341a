package checks

// NextPage is nextPage.
var NextPage = nextPage
