package model

// Price is USD per million tokens.
type Price struct {
	Input   float64 `json:"input"`
	Output  float64 `json:"output"`
	Write5m float64 `json:"write_5m"`
	Write1h float64 `json:"write_1h"`
	Read    float64 `json:"read"`
}

// PriceTier is the price of prompts longer than so many tokens, reads and writes counted.
type PriceTier struct {
	OverPromptTokens int   `json:"over_prompt_tokens"`
	Price            Price `json:"price"`
}

// Spent is what one call used, in tokens: the usage object's parts, each counted once.
type Spent struct {
	Input, Write5m, Write1h, Read, Output int
	Served
}

// Served is how a call was served, as its usage says; the zero value is as ever.
type Served struct {
	Fast  bool // usage.speed is fast
	Batch bool // usage.service_tier is batch
}

// Factors of all prices of a call, which stack (messages-api.md 5.11, 10). Data residency is one more, of which no
// number is known.
const (
	fastFactor  = 2
	batchFactor = 0.5
)

func (s Served) factor() float64 {
	f := 1.0
	if s.Fast {
		f *= fastFactor
	}
	if s.Batch {
		f *= batchFactor
	}
	return f
}

// Prompt is the length of the prompt.
func (s Spent) Prompt() int { return s.Input + s.Write5m + s.Write1h + s.Read }

// PriceAt is the price in force for a prompt of so many tokens (messages-api.md 5.11, 10).
func (m Model) PriceAt(promptTokens int) Price {
	p := m.Price
	for _, t := range m.PriceTiers {
		if promptTokens > t.OverPromptTokens {
			p = t.Price
		}
	}
	return p
}

// Cost is the price of one call in USD; 0 where the table knows no price.
func (m Model) Cost(s Spent) float64 {
	p := m.PriceAt(s.Prompt())
	return s.factor() * (float64(s.Input)*p.Input + float64(s.Write5m)*p.Write5m + float64(s.Write1h)*p.Write1h +
		float64(s.Read)*p.Read + float64(s.Output)*p.Output) / 1e6
}

// NoCacheCost is the price of the same call had nothing been read or written.
func (m Model) NoCacheCost(s Spent) float64 {
	return m.Cost(Spent{Input: s.Prompt(), Output: s.Output, Served: s.Served})
}
