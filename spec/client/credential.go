package client

import (
	"encoding/base64"

	"petconform/spec/exchange"
)

// madeUp is a key that no service has issued.
const madeUp = "petconform-unknown-key-0d9f6c1e5b7a"

// authorization returns the Authorization header of a credential, if it has one.
func (c *Client) authorization(a exchange.Auth) (string, bool) {
	key := c.cfg.Key.Reveal()
	switch a {
	case exchange.Key:
		return "Bearer " + key, true
	case exchange.OtherKey:
		return "Bearer " + c.cfg.OtherKey.Reveal(), true
	case exchange.EmptyKey:
		return "Bearer ", true
	case exchange.UnknownKey:
		return "Bearer " + madeUp, true
	case exchange.DamagedKey:
		return "Bearer " + exchange.Damage(key), true
	case exchange.TruncatedKey:
		return "Bearer " + exchange.Truncate(key), true
	case exchange.ExtendedKey:
		return "Bearer " + key + "x", true
	case exchange.PrefixedKey:
		return "Bearer x" + key, true
	case exchange.SwappedCaseKey:
		return "Bearer " + exchange.SwapCase(key), true
	case exchange.ChangedEndKey:
		return "Bearer " + exchange.ChangeEnd(key), true
	case exchange.QuotedKey:
		return `Bearer "` + key + `"`, true
	case exchange.CommaKey:
		return "Bearer " + key + ",x", true
	case exchange.SpacedKey:
		return "Bearer " + key + " x", true
	case exchange.NullKey:
		return "Bearer null", true
	case exchange.DottedKey:
		return "Bearer a.b.c", true
	case exchange.GluedScheme:
		return "Bearer" + key, true
	case exchange.ColonScheme:
		return "Bearer: " + key, true
	case exchange.PlainBasicScheme:
		return "Basic " + key, true
	case exchange.LongerScheme:
		return "BearerX " + key, true
	case exchange.BasicScheme:
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(key+":")), true
	case exchange.TokenScheme:
		return "Token " + key, true
	case exchange.APIKeyScheme:
		return "ApiKey " + key, true
	case exchange.NoScheme:
		return key, true
	case exchange.LowerCaseScheme:
		return "bearer " + key, true
	}
	return "", false
}
