package fakeapi

import "time"

// Days from which on model objects have their parts (messages-api.md 1.1).
var (
	modelLimits     = day(2026, time.May, 1)     // limits and capabilities
	modelLifecycles = day(2026, time.August, 18) // line, lifecycle, dates of the end, server tools, all modes of thinking
)

// bareModel is a model as the API showed it up to the spring of 2026.
type bareModel struct {
	Type        string `json:"type"`
	ID          string `json:"id"`
	DisplayName string `json:"display_name"`
	CreatedAt   string `json:"created_at"`
}

// oldModel is a model as the API showed it in the summer of 2026.
type oldModel struct {
	bareModel
	MaxInputTokens int             `json:"max_input_tokens"`
	MaxTokens      int             `json:"max_tokens"`
	Capabilities   oldCapabilities `json:"capabilities"`
}

type oldCapabilities struct {
	Batch             support           `json:"batch"`
	Citations         support           `json:"citations"`
	CodeExecution     support           `json:"code_execution"`
	ContextManagement contextCapability `json:"context_management"`
	Effort            any               `json:"effort"`
	ImageInput        support           `json:"image_input"`
	PDFInput          support           `json:"pdf_input"`
	StructuredOutputs support           `json:"structured_outputs"`
	Thinking          oldThinking       `json:"thinking"`
}

type oldThinking struct {
	Supported bool `json:"supported"`
	Types     struct {
		Enabled  support `json:"enabled"`
		Adaptive support `json:"adaptive"`
	} `json:"types"`
}

// dated is a model object in the form of the day that was asked for.
func (x *exchange) dated(m modelObject) any {
	at := x.s.opt.AnswerAs
	if at.IsZero() || !at.Before(modelLifecycles) {
		return m
	}
	bare := bareModel{m.Type, m.ID, m.DisplayName, m.CreatedAt}
	if at.Before(modelLimits) {
		return bare
	}
	c := m.Capabilities
	old := oldModel{bareModel: bare, MaxInputTokens: m.MaxInputTokens, MaxTokens: m.MaxTokens, Capabilities: oldCapabilities{
		Batch: c.Batch, Citations: c.Citations, CodeExecution: c.CodeExecution, ContextManagement: c.ContextManagement,
		Effort: c.Effort, ImageInput: c.ImageInput, PDFInput: c.PDFInput, StructuredOutputs: c.StructuredOutputs,
	}}
	old.Capabilities.Thinking.Supported = c.Thinking.Supported
	old.Capabilities.Thinking.Types.Enabled, old.Capabilities.Thinking.Types.Adaptive = c.Thinking.Types.Enabled, c.Thinking.Types.Adaptive
	return old
}

// datedAll are model objects in the form of the day that was asked for.
func (x *exchange) datedAll(list []modelObject) []any {
	out := make([]any, len(list))
	for i, m := range list {
		out[i] = x.dated(m)
	}
	return out
}
