package cause

import "petconform/spec"

// titles say in a few words what is wrong where a requirement is broken.
var titles = map[spec.ID]string{
	"SERVICE-1": "Successful responses are not application/json",
	"SERVICE-2": "Successful responses are not one JSON value in UTF-8",
	"SERVICE-3": "Requests get no complete response",
	"SERVICE-6": "Responses do not match the OpenAPI document",

	"PET-1": "The id of a Pet is not an int64",
	"PET-2": "The name of a Pet is not a string",
	"PET-3": "The categoryId of a Pet is not an int64",
	"PET-4": "The status of a Pet is none of available, pending and sold",

	"LIST-1":  "listPets without parameters does not return 200",
	"LIST-2":  "A listing is not a bare array of Pet objects",
	"LIST-3":  "listPets refuses a limit from 1 to 100",
	"LIST-4":  "A listing has more animals than its limit",
	"LIST-5":  "Without a limit, the limit is not 20",
	"LIST-6":  "listPets refuses a status filter",
	"LIST-7":  "A listing with a status filter has animals of another status",
	"LIST-8":  "A listing with a status filter leaves animals out",
	"LIST-9":  "A listing has two animals with the same id",
	"LIST-10": "A listing shows other values than an animal was created with",
	"LIST-11": "A listing leaves animals out",

	"CREATE-1":  "createPet does not return 201 for a valid NewPet",
	"CREATE-2":  "The body of a 201 is not the new Pet",
	"CREATE-3":  "The Pet in a 201 has other values than the request",
	"CREATE-4":  "createPet takes the id from the request",
	"CREATE-5":  "Two animals get the same id",
	"CREATE-6":  "createPet does not return 400 for a body without a name",
	"CREATE-7":  "createPet does not return 400 for a body without a categoryId",
	"CREATE-8":  "createPet does not return 400 for a name that is not a string",
	"CREATE-9":  "createPet does not return 400 for a categoryId that is not an int64",
	"CREATE-10": "createPet does not return 400 for a status that does not exist",
	"CREATE-11": "createPet does not return 400 for a body that is not a JSON object",
	"CREATE-12": "A createPet request that is refused creates an animal",
	"CREATE-13": "The service does not keep the animals that it creates",
	"CREATE-14": "createPet refuses a body without a status",
	"CREATE-22": "One createPet request creates two animals",

	"GET-1": "getPet does not return 200 for an animal that exists",
	"GET-2": "The body of getPet's 200 is not the Pet that was asked for",
	"GET-3": "getPet does not return 404 for an id that no animal has",
	"GET-4": "The headers Deprecation and Sunset announce another removal date",

	"AUTH-1": "The service refuses the key",
	"AUTH-2": "A request without a key does not get 401",
	"AUTH-3": "A request with an invalid key does not get 401",
	"AUTH-4": "The key under another scheme than Bearer does not get 401",
	"AUTH-5": "The service checks something else before the key",
	"AUTH-6": "A request that gets 401 has an effect",

	"ERROR-1": "Error responses are not application/json",
	"ERROR-2": "Error responses do not have the Error body",
	"ERROR-3": "The status in an Error is not the HTTP status",

	"RATE-1":  "Responses lack the X-RateLimit headers",
	"RATE-2":  "X-RateLimit-Limit or X-RateLimit-Remaining is not a valid number",
	"RATE-3":  "X-RateLimit-Reset is not a Unix time in the near future",
	"RATE-4":  "X-RateLimit-Remaining does not go down",
	"RATE-5":  "A 429 has no valid Retry-After header",
	"RATE-6":  "Requests beyond the plan's limit are accepted",
	"RATE-7":  "Requests within the plan get 429",
	"RATE-8":  "A client that waits for the time in Retry-After is refused again",
	"RATE-9":  "Requests are refused after the time in X-RateLimit-Reset",
	"RATE-10": "One key's requests use up the allowance of another key",
	"RATE-11": "An operation or a connection has an allowance of its own",
	"RATE-12": "A request that gets 429 has an effect",
	"RATE-13": "Requests beyond the plan's limit of a day are accepted",
	"RATE-14": "Under overload the plan is not served, or errors other than 429 occur",
	"RATE-15": "X-RateLimit-Limit or X-RateLimit-Remaining does not match the plan",
	"RATE-16": "A ban of the key does not end",
	"RATE-22": "X-RateLimit-Limit is not the limit",

	"CLIENT-1":  "The client sends requests without an API key",
	"CLIENT-2":  "The client does not send the key as a bearer token",
	"CLIENT-4":  "The client does not wait for the time in Retry-After",
	"CLIENT-8":  "The client asks for a limit outside of 1 to 100",
	"CLIENT-9":  "The client asks for a status that does not exist",
	"CLIENT-10": "The client does not send a NewPet as application/json",
	"CLIENT-11": "The client sends bodies that are not a NewPet",
	"CLIENT-12": "The client asks for a petId that is not an int64",
	"CLIENT-13": "The client changes digits of identifiers",
	"CLIENT-15": "The client calls operations at another address",
}

// occasions say which requests a requirement on a status is about.
var occasions = map[spec.ID]string{
	"LIST-1": "without parameters",
	"LIST-3": "with a limit",
	"LIST-6": "with a status filter",

	"CREATE-1":  "for a valid NewPet",
	"CREATE-6":  "for a body without a name",
	"CREATE-7":  "for a body without a categoryId",
	"CREATE-8":  "for a name that is not a string",
	"CREATE-9":  "for a categoryId that is not an int64",
	"CREATE-10": "for a status that does not exist",
	"CREATE-11": "for a body that is not a JSON object",
	"CREATE-14": "for a body without a status",

	"GET-1": "for an animal that exists",
	"GET-3": "for an id that no animal has",

	"AUTH-1": "for a valid key",
	"AUTH-2": "without a key",
	"AUTH-3": "for an invalid key",
	"AUTH-4": "for the key under another scheme",
}

// titleOf is what is wrong where a requirement is broken.
func titleOf(id spec.ID) string {
	if t, ok := titles[id]; ok {
		return t
	}
	r, _ := spec.TheLedger().Find(id)
	return "Not kept: " + r.Statement
}
