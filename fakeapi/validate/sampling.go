package validate

import (
	"slices"
	"strconv"
	"strings"

	"harnessbench/internal/model"
)

var (
	overMaxTokens = rule{id: "max_tokens.model", area: "params", source: "messages-api.md 2.2", confidence: "high",
		text: "max_tokens: {asked} > {max}, which is the maximum allowed number of output tokens for {model}"}
	effortUnsupported = rule{id: "output_config.effort.model", area: "params", source: "messages-api.md 2.2", confidence: "high", era: "4.5 and older without Opus 4.5",
		text: "This model does not support the effort parameter."}
	effortLevel = rule{id: "output_config.effort.level", area: "params", source: "messages-api.md 2.2", confidence: "medium",
		text: "This model does not support effort level '{effort}'. Supported levels: {levels}."}
	bothSampling = rule{id: "sampling.both", area: "params", source: "messages-api.md 2.2", confidence: "high", era: "Opus 4.1, 4.5 and 4.6 generations; from 4.7 on also at defaults",
		text: "`temperature` and `top_p` cannot both be specified for this model. Please use only one."}
	samplingDeprecated = rule{id: "sampling.deprecated", area: "params", source: "messages-api.md 2.2", confidence: "high", era: "4.7 and later, Mythos Preview",
		text: "`{param}` is deprecated for this model."}
	temperatureThinking = rule{id: "temperature.thinking", area: "thinking", source: "messages-api.md 2.2", confidence: "medium", era: "models up to 4.6",
		text: "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode."}
	topKThinking = rule{id: "top_k.thinking", area: "thinking", source: "messages-api.md 6.4", confidence: "high", era: "models up to 4.6",
		text: "`top_k` must be unset when thinking is enabled. Please consult our documentation at " + samplingDocs}
	topPThinking = rule{id: "top_p.thinking", area: "thinking", source: "messages-api.md 6.4", confidence: "medium", era: "models up to 4.6",
		text: "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled. Please consult our documentation at " + samplingDocs}
)

const samplingDocs = thinkingDocs + "#important-considerations-when-using-extended-thinking"

// judgeOutput leaves open which models take a task budget: nobody published it.
func judgeOutput(r *reading) *Fault {
	if present(r.req.Get("output_config").Get("task_budget")) {
		r.walk.notJudged = append(r.walk.notJudged, "output_config.task_budget")
	}
	return r.firstOf(judgeEffort(r), judgeFormat(r))
}

func judgeEffort(r *reading) *Fault {
	effort := r.req.Get("output_config").Get("effort")
	if !effort.Exists() || effort.IsNull() {
		return nil
	}
	levels := r.model.Effort
	if len(levels) == 0 {
		return effortUnsupported.fault()
	}
	if word := effort.Text(); !slices.Contains(levels, word) {
		sorted := slices.Sorted(slices.Values(levels))
		return effortLevel.fault("effort", word, "levels", strings.Join(sorted, ", "))
	}
	return nil
}

func judgeMaxTokens(r *reading) *Fault { return r.firstOf(judgeLimit(r), judgePrewarm(r)) }

func judgeLimit(r *reading) *Fault {
	n, _ := r.req.Get("max_tokens").Int()
	if limit := r.maxOutput(); limit > 0 && n > int64(limit) {
		return overMaxTokens.fault("asked", strconv.FormatInt(n, 10), "max", strconv.Itoa(limit), "model", r.model.ID)
	}
	return nil
}

// judgeSampling holds the rules of temperature, top_p and top_k (messages-api.md 2.2, 6.4). The defaults that
// pass where sampling has ended are temperature 1 and top_p 0.99.
func judgeSampling(r *reading) *Fault {
	temperature, hasT := r.req.Get("temperature").Float()
	topP, hasP := r.req.Get("top_p").Float()
	hasK := r.req.Get("top_k").Exists()
	ended := r.model.Sampling == "defaults_only"
	if hasT && hasP && (ended || r.model.TemperatureOrTopP) {
		return bothSampling.fault()
	}
	if ended {
		for _, p := range []struct {
			name string
			off  bool
		}{{"temperature", hasT && temperature != 1}, {"top_k", hasK}, {"top_p", hasP && topP != 0.99}} {
			if p.off {
				return samplingDeprecated.fault("param", p.name)
			}
		}
		return nil
	}
	mode := r.req.Get("thinking").Get("type").Text()
	switch {
	case mode != "enabled" && mode != "adaptive":
	case hasT && temperature != 1:
		return temperatureThinking.fault()
	case hasK:
		return topKThinking.fault()
	case hasP && topP < 0.95:
		return topPThinking.fault()
	}
	return nil
}

// since tells whether a model is of this generation or a later one. Mythos Preview goes with 4.7, as it
// does in every table of messages-api.md that draws a border there.
func since(m model.Model, generation string) bool {
	g := m.Generation
	if g == "preview" {
		g = "4.7"
	}
	have, err := strconv.ParseFloat(g, 64)
	if err != nil {
		return false
	}
	want, _ := strconv.ParseFloat(generation, 64)
	return have >= want
}
