package validate

var docOrigin = origin{"images", "messages-api.md 2.6, SDK BetaRequestDocumentBlockParam", "medium"}

func docSource(tag string, fields ...field) *object {
	return &object{origin: docOrigin, name: "document.source." + tag, wrong: notObject, fields: append([]field{tagField}, fields...)}
}

var pdfSource = func() *object {
	s := docSource("base64", may("media_type", word("application/pdf")), must("data", str{}))
	s.also, s.alsoRule = pdfData, []rule{pdfEncoding}
	return s
}()

var documentSource = &union{
	origin: docOrigin, name: "document.source",
	arms: []arm{
		{tag: "base64", shape: pdfSource},
		{tag: "content", shape: docSource("content", must("content", list{text: true, of: &union{
			origin: docOrigin, name: "document.source.content.item",
			arms: []arm{{tag: "image", shape: imageBlock}, {tag: "text", shape: textBlock}},
		}}))},
		{tag: "file", shape: fileSource()},
		{tag: "text", shape: docSource("text", may("media_type", word("text/plain")), must("data", str{}))},
		{tag: "url", shape: urlSource("document.source.url")},
	},
}

func fileSource() *object {
	s := docSource("file", must("file_id", str{}))
	s.also = elsewhere
	return s
}

var documentBlock = &object{
	origin: docOrigin, name: "document", wrong: notObject,
	fields: []field{
		tagField,
		must("source", documentSource),
		cacheField(),
		may("citations", citationsConfig),
		may("context", str{}),
		may("title", str{}),
	},
}

var searchResultBlock = &object{
	origin: origin{"content", "SDK BetaSearchResultBlockParam", "medium"}, name: "search_result", wrong: notObject,
	fields: []field{
		tagField,
		must("source", str{}),
		must("title", str{}),
		must("content", list{of: &object{
			origin: origin{"content", "SDK BetaSearchResultBlockParam", "medium"}, name: "search_result.content.item", wrong: notObject,
			fields: []field{must("type", word("text")), must("text", str{}), cacheField(), may("citations", citations)},
		}}),
		cacheField(),
		may("citations", citationsConfig),
	},
}

var uploadBlock = &object{
	origin: origin{"content", "SDK BetaContainerUploadBlockParam", "medium"}, name: "container_upload", wrong: notObject,
	fields: []field{tagField, must("file_id", str{}), cacheField()},
}

var toolReferenceBlock = &object{
	origin: origin{"tools", "SDK BetaToolReferenceBlockParam", "medium"}, name: "tool_reference", wrong: notObject,
	fields: []field{tagField, must("tool_name", str{}), cacheField()},
}

var browserStateBlock = &object{
	origin: origin{"content", "SDK BetaBrowserStateBlockParam", "medium"}, name: "browser_state", wrong: notObject,
	fields: []field{
		tagField,
		must("tabs", list{of: &object{
			origin: origin{"content", "SDK BetaBrowserStateTabEntryParam", "medium"}, name: "browser_state.tabs.item", wrong: notObject,
			fields: []field{must("tab_id", str{}), must("title", str{}), must("url", str{}), may("active", boolean)},
		}}),
		may("state_changes", list{of: dict}),
		cacheField(),
	},
}
