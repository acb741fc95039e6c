package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Parse reads the form of a command line: the name of a kind, then parameters and matches, as in
//
//	reset,at=event 5,call=2
//	overloaded,chance=0.1,retry_after=2s
//	silence,at=event text_delta,for=90s,text=which test
//
// The parameters are at, call, model, text, chance and those of Describe. A comma cannot stand in a value.
func Parse(s string) (Fault, error) {
	name, rest, more := strings.Cut(s, ",")
	f := Fault{Do: strings.TrimSpace(name)}
	for more {
		var one string
		one, rest, more = strings.Cut(rest, ",")
		key, value, found := strings.Cut(one, "=")
		if !found {
			return Fault{}, fmt.Errorf("%q in %q is no parameter; write NAME=VALUE", one, s)
		}
		if err := f.Set(strings.TrimSpace(key), value); err != nil {
			return Fault{}, err
		}
	}
	return f, f.Check()
}

// Set sets one parameter by its name in files and on the command line.
func (f *Fault) Set(name, value string) (err error) {
	switch name {
	case "at":
		f.At, err = ParsePosition(value)
	case "call":
		f.When.Call, err = whole(name, value)
	case "turn":
		f.When.Turn, err = whole(name, value)
	case "model":
		f.When.Model = value
	case "text":
		f.When.Text = value
	case "chance":
		if f.When.Chance, err = strconv.ParseFloat(value, 64); err != nil || !(f.When.Chance > 0 && f.When.Chance <= 1) {
			err = fmt.Errorf("chance %q is no probability above 0, at most 1", value)
		}
	case "status":
		f.Status, err = whole(name, value)
	case "retry_after":
		f.RetryAfter = value
	case "should_retry":
		if f.ShouldRetry = value; value != "true" && value != "false" {
			err = fmt.Errorf("should_retry is true or false, not %q", value)
		}
	case "body":
		if f.Body = value; !slices.Contains([]string{"text", "html", "empty", "edge", "unnamed"}, value) {
			err = fmt.Errorf("body is text, html, empty, edge or unnamed, not %q", value)
		}
	case "type":
		f.Type = value
	case "message":
		f.Message = value
	case "for":
		f.For, err = span(name, value)
	case "every":
		f.Every, err = span(name, value)
	default:
		err = fmt.Errorf("%q is no parameter of a fault; at, call, turn, model, text, chance, status, retry_after, should_retry, body, type, message, for, every are", name)
	}
	return err
}

func whole(name, value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s is a whole number from 1, not %q", name, value)
	}
	return n, nil
}

func span(name, value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%s is a duration such as 90s, not %q", name, value)
	}
	return d, nil
}
