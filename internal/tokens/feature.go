package tokens

// Feature is what is counted in a text. The first nine are those of messages-api.md 9.1; the others are ours
// and tell words apart that no vocabulary holds whole, or that one holds together with a sign.
type Feature int

// The features, each with what it counts.
const (
	Word  Feature = iota // runs of ASCII letters
	Digit                // digits
	SpDig                // blanks directly before a digit
	Punct                // runs of ASCII punctuation
	Extra                // signs beyond two in such a run
	NL                   // newlines, each together with the blanks behind it
	Uni                  // characters beyond ASCII
	Long                 // letters of a word beyond LongAt
	Cap                  // capitalised words after a blank
	One                  // words of one letter
	Apos                 // endings such as 's and 're: one or two letters between an apostrophe behind a letter and the word's end
	Mixed                // letter runs with both cases, other than a capital in front: identifiers and random ids

	NumFeatures // how many there are
)

// Counts is how often each feature stands in a text.
type Counts [NumFeatures]int

// Coefficients is what one of each feature weighs, in tokens.
type Coefficients [NumFeatures]float64

func (f Feature) String() string {
	return [...]string{"word", "digit", "spdig", "punct", "extra", "nl", "uni", "long", "cap", "one", "apos", "mixed"}[f]
}
