package validate_test

func keywordsNoGrammarKnows(run func(...row)) {
	closed := func(property string) string {
		return `{"type":"object","additionalProperties":false,"properties":{"p":` + property + `},"required":["p"]}`
	}
	format := func(property string) string {
		return `{"output_config":{"format":{"type":"json_schema","schema":` + closed(property) + `}}}`
	}
	old := func(property string) string {
		return `{"output_format":{"type":"json_schema","schema":` + closed(property) + `}}`
	}
	tool := func(strict, property string) string {
		return `{"tools":[{"name":"t","strict":` + strict + `,"input_schema":` + closed(property) + `}]}`
	}
	const at = "output_config.format.schema: "
	run(
		row{rule: "grammar.keyword", bad: format(`{"type":"integer","minimum":0}`), good: format(`{"type":"integer"}`),
			want: at + "For 'integer' type, property 'minimum' is not supported"},
		row{rule: "grammar.keyword", bad: old(`{"type":"integer","minimum":0}`), good: old(`{"type":"integer","description":"minimum 0"}`),
			want: "output_format.schema: For 'integer' type, property 'minimum' is not supported"},
		row{rule: "grammar.keyword", bad: tool("true", `{"type":"string","maxLength":3}`), good: tool("false", `{"type":"string","maxLength":3}`),
			want: "tools.0.custom: For 'string' type, property 'maxLength' is not supported"},
		row{rule: "grammar.keyword", bad: format(`{"type":"array","items":{"type":"string"},"maxItems":3}`), good: format(`{"type":"array","items":{"type":"string"},"minItems":1}`),
			want: at + "For 'array' type, property 'maxItems' is not supported"},
		row{rule: "grammar.keyword", bad: format(`{"anyOf":[{"type":"null"},{"type":"string","minLength":1}]}`), good: format(`{"anyOf":[{"type":"null"},{"type":"string","format":"uuid"}]}`),
			want: at + "For 'string' type, property 'minLength' is not supported"},
		row{rule: "grammar.keyword", bad: format(`{"type":["null","integer"],"minimum":0}`), good: format(`{"type":["null","integer"]}`),
			want: at + "For 'integer' type, property 'minimum' is not supported"},
		row{rule: "grammar.keyword", bad: format(`{"type":"object","additionalProperties":false,"minProperties":1}`), good: format(`{"type":"object","additionalProperties":false,"description":"x"}`),
			want: at + "For 'object' type, property 'minProperties' is not supported"},
		row{rule: "grammar.keywords", bad: format(`{"type":"number","minimum":0,"maximum":1}`), good: format(`{"type":"number","enum":[0,1]}`),
			want: at + "For 'number' type, properties maximum, minimum are not supported"},
		row{rule: "grammar.min-items", bad: format(`{"type":"array","items":{"type":"string"},"minItems":2}`), good: format(`{"type":"array","items":{"type":"string"},"minItems":0}`),
			want: at + "For 'array' type, 'minItems' values other than 0 or 1 are not supported"},
		row{rule: "grammar.min-items", bad: format(`{"type":"array","items":{"type":"string"},"minItems":2.0}`), good: format(`{"type":"array","items":{"type":"string"},"minItems":1.0}`),
			want: at + "For 'array' type, 'minItems' values other than 0 or 1 are not supported"},
		row{rule: "grammar.one-of", bad: format(`{"oneOf":[{"type":"string"},{"type":"null"}]}`), good: format(`{"anyOf":[{"type":"string"},{"type":"null"}]}`),
			want: at + "Schema type 'oneOf' is not supported"},
		row{rule: "grammar.additional-properties-schema", bad: tool("true", `{"type":"object","additionalProperties":{"type":"string"}}`), good: tool("true", `{"type":"object","additionalProperties":false}`),
			want: "tools.0.custom: For 'object' type, 'additionalProperties: object' is not supported"},
		row{rule: "grammar.additional-properties-true", bad: format(`{"type":"object","additionalProperties":true}`), good: format(`{"type":"object","additionalProperties":false}`),
			want: at + "For 'object' type, 'additionalProperties: true' is not supported. Please set 'additionalProperties' to false"},
		row{rule: "grammar.additional-properties-true", bad: tool("true", `{"type":"object","additionalProperties":true}`), good: tool("false", `{"type":"object","additionalProperties":true}`),
			want: "tools.0.custom: For 'object' type, 'additionalProperties: true' is not supported. Please set 'additionalProperties' to false"},
		row{rule: "grammar.additional-properties", bad: tool("true", `{"type":"object"}`), good: tool("false", `{"type":"object"}`),
			want: "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false"},
		// A property may bear the name of a keyword.
		row{rule: "grammar.keyword", bad: format(`{"type":"object","additionalProperties":false,"properties":{"minimum":{"type":"integer","maximum":1}}}`),
			good: format(`{"type":"object","additionalProperties":false,"properties":{"minimum":{"type":"integer"},"oneOf":{"type":"string"}}}`),
			want: at + "For 'integer' type, property 'maximum' is not supported"},
	)
}
