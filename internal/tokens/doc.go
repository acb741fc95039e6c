// Package tokens counts tokens without a vocabulary: features of a text times published
// coefficients (messages-api.md 9.1). The same text on the same tokenizer generation always counts
// the same. It knows texts and generations; what belongs to a prompt is package prefix's business.
package tokens
