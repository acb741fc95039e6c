package validate

import (
	"strconv"

	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

var imageOrigin = origin{"images", "messages-api.md 2.6", "high"}

// imageBlock: `oversized_image` is named by messages-api.md 2.6, the SDK puts it into `transformations`; both are taken.
var imageBlock = &object{
	origin: imageOrigin, name: "image", wrong: notObject,
	fields: []field{
		tagField,
		must("source", imageSource),
		cacheField(),
		may("oversized_image", oversized),
		may("transformations", &object{origin: origin{"images", "SDK BetaImageTransformationsParam", "medium"}, name: "image.transformations",
			wrong: notObject, fields: []field{may("oversized_image", oversized)}}),
	},
	also: imageSize,
}

var oversized = word("downsize", "error")

var imageSource = &union{
	origin: imageOrigin, name: "image.source",
	arms: []arm{
		{tag: "base64", shape: &object{
			origin: imageOrigin, name: "image.source.base64", wrong: notObject,
			fields: []field{
				tagField,
				must("media_type", word("image/jpeg", "image/png", "image/gif", "image/webp")),
				must("data", str{}),
			},
			also:     imageData,
			alsoRule: []rule{imageEmpty, imageEncoding, imageHeavy},
		}},
		{tag: "file", shape: &object{
			origin: imageOrigin, name: "image.source.file", wrong: notObject, fields: []field{tagField, must("file_id", str{})},
			also: elsewhere,
		}},
		{tag: "url", shape: urlSource("image.source.url")},
	},
}

// urlSource is a source that the server would have to fetch.
func urlSource(name string) *object {
	return &object{origin: imageOrigin, name: name, wrong: notObject, fields: []field{tagField, must("url", str{})},
		also: func(w *walk, _ owner, v wire.Value) *Fault {
			if !isHTTPS(v.Get("url").Text()) {
				w.see(medium{fault: urlPlain.fault()})
			}
			return elsewhere(w, owner{}, v)
		}}
}

// elsewhere notes that what a source names is not looked at: nothing is fetched here.
func elsewhere(w *walk, _ owner, _ wire.Value) *Fault {
	w.pass()
	return nil
}

var (
	imageEmpty = rule{id: "image.empty", area: "images", source: "messages-api.md 2.6", confidence: "high",
		text: "{path}: image cannot be empty"}
	imageEncoding = rule{id: "image.base64", area: "images", source: "messages-api.md 2.6", confidence: "high",
		text: "{path}: invalid base64 data"}
	imageHeavy = rule{id: "image.size", area: "images", source: "messages-api.md 2.6", confidence: "medium", era: "2026; 5 MB before",
		text: "{path}: image exceeds 10 MB maximum: {n} bytes > {max} bytes"}
	imageBroken = rule{id: "image.undecodable", area: "images", source: "messages-api.md 2.6", confidence: "high",
		text: "Could not process image"}
	imageOtherType = rule{id: "image.media-type", area: "images", source: "api-verdicts-notes.md 4, public reports", confidence: "medium",
		era:  "this wording since 2026-04; Claude 3 models took such an image in records of 2025",
		text: "{path}: The image was specified using the {said} media type, but the image appears to be a {seen} image"}
	imageSide = rule{id: "image.dimensions", area: "images", source: "messages-api.md 2.6", confidence: "high",
		text: "{path}: At least one of the image dimensions exceed max allowed size: {max} pixels"}
	imageSideMany = rule{id: "image.dimensions-many", area: "images", source: "messages-api.md 2.6", confidence: "high",
		text: "{path}: At least one of the image dimensions exceed max allowed size for many-image requests: {max} pixels"}
	imageOversized = rule{id: "image.oversized", area: "images", source: "messages-api.md 2.6", confidence: "high",
		text: `{path}: image dimensions {w}x{h} exceed the maximum image size of a model named on this request and would be downsized to {w2}x{h2}; scale the image to at most {w2}x{h2} or set the image's oversized_image setting to "downsize"`}
	urlPlain = rule{id: "source.url.https", area: "images", source: "api-verdicts.jsonl url-not-https", confidence: "high",
		text: "Only HTTPS URLs are supported."}
	mediaMany = rule{id: "media.many", area: "images", source: "messages-api.md 2.6", confidence: "low",
		text: "Too much media: {pages} document pages + {images} images > {max}"}
)

func mediaRules() []rule {
	return []rule{imageOtherType, imageBroken, imageSide, imageOversized, urlPlain, citationsMixed, pdfBroken, pdfLocked, pdfPages, imageSideMany, mediaMany}
}

func imageData(w *walk, _ owner, v wire.Value) *Fault {
	data := v.Get("data")
	switch size := len(data.Raw()) - 2; {
	case size == 0:
		return imageEmpty.fault("path", w.where())
	case size > model.MaxImageBytes:
		return imageHeavy.fault("path", w.where(), "n", strconv.Itoa(size), "max", strconv.Itoa(model.MaxImageBytes))
	case !isBase64(data):
		return imageEncoding.fault("path", w.where())
	}
	return nil
}

// imageSize notes what the frame of an image says; the rules about it come after the conversation's shape.
func imageSize(w *walk, _ owner, v wire.Value) *Fault {
	m := medium{images: 1}
	source := v.Get("source")
	if source.Get("type").Text() == "base64" {
		data := unquoted(source.Get("data"))
		width, height, ok := tokens.ImageSize(data)
		seen := readPicture(data)
		if !ok || !seen.whole {
			m.fault = imageBroken.fault()
		}
		if said := source.Get("media_type").Text(); seen.media != "" && seen.media != said {
			m.mistyped = imageOtherType.fault("path", w.where()+".source.base64", "said", said, "seen", seen.media)
		}
		m.width, m.height, m.path = width, height, w.where()+".source.base64.data"
	}
	setting := v.Get("oversized_image")
	if t := v.Get("transformations").Get("oversized_image"); t.Exists() {
		setting = t
	}
	if m.strict = setting.Text() == "error"; m.strict {
		m.place = w.message()
	}
	w.see(m)
	return nil
}
