package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Policy is one setting of a story: switches over those it has itself.
type Policy struct {
	Name string
	Doc  string // what a built-in one is for, "" for others
	Set  map[string]string
}

// AsWritten is the name of the policy that plays the story as it stands.
const AsWritten = "story"

// BuiltIn lists the policies that have a name of their own, the story as it stands first.
func BuiltIn() []Policy {
	one := func(name, doc string, set ...string) Policy {
		p := Policy{Name: name, Doc: doc, Set: map[string]string{}}
		for i := 0; i < len(set); i += 2 {
			p.Set[set[i]] = set[i+1]
		}
		return p
	}
	return []Policy{
		one(AsWritten, "the story as it stands"),
		one("ttl-1h", "cache entries live for an hour", "cache.ttl", "1h"),
		one("ttl-5m", "cache entries live for five minutes", "cache.ttl", "5m"),
		one("two-breakpoints", "breakpoints at the end of system and of the conversation alone", "cache.breakpoints", "two"),
		one("volatile-prompt", "volatile text before the prompt of its turn", "volatile.place", "prompt"),
		one("volatile-tail", "volatile text behind everything, in every call", "volatile.place", "tail"),
		one("no-auto", "no compaction but what the user asks for", "compact.auto", "off"),
		one("keep-recent", "a compaction keeps the newest twenty messages", "compact.keepRecent", "20"),
		one("server-compaction", "the server compacts the conversation, where the model has that", "compact.server", "on"),
		one("session-memory", "the session's memory file is the summary, where there is one", "compact.sessionMemory", "on"),
		one("summary-no-tools", "summaries are asked for without tools, which reads no cache", "compact.request", "no-tools"),
		one("snip", "rounds of the middle are left out", "snip", "on"),
		one("no-micro", "old results are never cleared", "micro.mode", "off"),
		one("micro-time", "old results are cleared once the cache is gone anyway", "micro.mode", "time"),
		one("micro-cached", "the server clears old results", "micro.mode", "cached"),
		one("micro-position", "old results are cleared where that pays", "micro.mode", "position"),
		one("prune-always", "old results are cleared whatever that costs, a fault", "micro.mode", "position", "micro.unconditional", "on"),
		one("openai", "the cache of OpenAI", "cache.policy", "openai"),
		one("gemini", "the cache of Gemini", "cache.policy", "gemini"),
	}
}

// Parse reads policies from a command line: names of built-in ones, and name:switch=value,switch=value for others, with
// commas between. A name with settings that is a built-in one's starts from that.
func Parse(list string) ([]Policy, error) {
	var out []Policy
	for _, item := range strings.Split(list, ",") {
		item = strings.TrimSpace(item)
		name, setting, own := strings.Cut(item, ":")
		if strings.Contains(name, "=") { // the switch of a policy that was named before
			name, setting, own = "", item, true
		}
		if name != "" || !own {
			p, known := builtIn(name)
			if !known && !own {
				return nil, unknown(name)
			}
			p.Name = name
			out = append(out, p)
		}
		if !own {
			continue
		}
		key, value, assigned := strings.Cut(setting, "=")
		switch {
		case len(out) == 0:
			return nil, fmt.Errorf("%q sets a switch before any policy is named; want name:switch=value", item)
		case !assigned || key == "" || value == "":
			return nil, fmt.Errorf("%q is no setting; want name:switch=value, further ones as switch=value", item)
		}
		p := &out[len(out)-1]
		p.Set = maps.Clone(p.Set)
		if p.Set == nil {
			p.Set = map[string]string{}
		}
		p.Set[key] = value
	}
	return out, nil
}

func builtIn(name string) (Policy, bool) {
	all := BuiltIn()
	i := slices.IndexFunc(all, func(p Policy) bool { return p.Name == name })
	if i < 0 {
		return Policy{}, false
	}
	return all[i], true
}

func unknown(name string) error {
	var names []string
	for _, p := range BuiltIn() {
		names = append(names, p.Name)
	}
	return fmt.Errorf("no policy is called %q; there are %s; one of your own is name:switch=value", name, strings.Join(names, ", "))
}

// Check refuses an empty list and names that stand twice: nobody could tell their rows apart.
func Check(policies []Policy) error {
	if len(policies) == 0 {
		return fmt.Errorf("no policy is named")
	}
	seen := map[string]bool{}
	for _, p := range policies {
		if seen[p.Name] {
			return fmt.Errorf("two policies are called %q; want one of each name", p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}
