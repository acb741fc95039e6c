package validate

import "harnessbench/internal/wire"

var citeOrigin = origin{"content", "SDK BetaTextCitationParamUnion", "medium"}

// citations is the list a text block carries; where a cited answer is sent back, it holds what the answer held.
var citations = list{of: &union{
	origin: citeOrigin, name: "text.citations.item",
	arms: []arm{
		{tag: "char_location", shape: span("char_location", "start_char_index", "end_char_index")},
		{tag: "content_block_location", shape: span("content_block_location", "start_block_index", "end_block_index")},
		{tag: "page_location", shape: span("page_location", "start_page_number", "end_page_number")},
		{tag: "search_result_location", shape: citation("search_result_location",
			must("source", str{}), must("search_result_index", count), must("start_block_index", count), must("end_block_index", count),
			may("title", str{}))},
		{tag: "web_search_result_location", shape: citation("web_search_result_location",
			must("url", str{}), must("encrypted_index", str{}), may("title", str{}))},
	},
}}

// count is a number of things.
var count = integer{0, tooSmall}

func citation(tag string, fields ...field) *object {
	return &object{origin: citeOrigin, name: "citation." + tag, wrong: notObject,
		fields: append([]field{tagField, must("cited_text", str{})}, fields...)}
}

// span is a citation of a document, from one index to another.
func span(tag, from, to string) *object {
	return citation(tag, must("document_index", count), must(from, count), must(to, count),
		may("document_title", str{}), may("file_id", str{}))
}

// citationsConfig switches citations on for a document or a search result.
var citationsConfig = &object{
	origin: origin{"content", "SDK BetaCitationsConfigParam", "medium"}, name: "citations_config", wrong: notObject,
	fields: []field{may("enabled", boolean)},
}

// cites tells whether citations are switched on.
func cites(v wire.Value) bool {
	on, _ := v.Get("citations").Get("enabled").Bool()
	return on
}
