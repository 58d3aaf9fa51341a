package strictjson

import "github.com/go-json-experiment/json/jsontext"

// AppendString writes s as a JSON string. It escapes only what JSON requires. Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // the error says that s is not UTF-8
	return dst
}

// Append writes v without white space.
func Append(dst []byte, v Value) []byte {
	switch v.Kind {
	case String:
		return AppendString(dst, v.Text)
	case Array:
		dst = append(dst, '[')
		for i, e := range v.Elements {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = Append(dst, e)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i, m := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, m.Name), ':')
			dst = Append(dst, m.Value)
		}
		return append(dst, '}')
	case Null:
		return append(dst, "null"...)
	default:
		return append(dst, v.Text...)
	}
}
