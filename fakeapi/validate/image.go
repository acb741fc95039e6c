package validate

import (
	"encoding/base64"

	"harnessbench/internal/wire"
)

var imageOrigin = origin{"images", "messages-api.md 2.6", "high"}

// imageBlock: the source's shape is judged; what its bytes show is not, so an image is listed as not judged.
var imageBlock = &object{
	origin: imageOrigin, name: "image", wrong: notObject,
	fields: []field{
		{name: "type", check: anything{}},
		{name: "source", required: true, check: imageSource},
		cacheField(),
		{name: "oversized_image", null: true},
	},
	also: func(w *walk, _ owner, _ wire.Value) *Fault { w.pass(); return nil },
}

var imageSource = &union{
	origin: imageOrigin, name: "image.source",
	arms: []arm{
		{tag: "base64", shape: &object{
			origin: imageOrigin, name: "image.source.base64", wrong: notObject,
			fields: []field{
				{name: "type", check: anything{}},
				{name: "media_type", required: true,
					check: enum{words: []string{"image/jpeg", "image/png", "image/gif", "image/webp"}}},
				{name: "data", required: true, check: str{}},
			},
			also:     imageData,
			alsoRule: []rule{imageEmpty, imageEncoding},
		}},
		{tag: "file", betas: []string{"files-api-2025-04-14"}},
		{tag: "url", shape: &object{
			origin: imageOrigin, name: "image.source.url", wrong: notObject,
			fields: []field{
				{name: "type", check: anything{}},
				{name: "url", required: true, check: str{}},
			},
		}},
	},
}

var (
	imageEmpty = rule{id: "image.empty", area: "images", source: "messages-api.md 2.6", confidence: "high",
		text: "{path}: image cannot be empty"}
	imageEncoding = rule{id: "image.base64", area: "images", source: "messages-api.md 2.6", confidence: "high",
		text: "{path}: invalid base64 data"}
)

func imageData(w *walk, _ owner, v wire.Value) *Fault {
	data := v.Get("data").Text()
	if data == "" {
		return imageEmpty.fault("path", w.where())
	}
	if _, err := base64.StdEncoding.DecodeString(data); err != nil {
		return imageEncoding.fault("path", w.where())
	}
	return nil
}
