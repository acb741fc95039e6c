package tokens

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"harnessbench/internal/model"
)

func TestAPDFWeighsItsPages(t *testing.T) {
	m, _ := model.Lookup("claude-sonnet-5")
	c := For(m)
	of := func(file string) float64 { return c.Pages([]byte(base64.StdEncoding.EncodeToString([]byte(file)))) }
	pages := func(n int) string { return "%PDF-1.4\n" + strings.Repeat("<</Type /Page >>\n", n) }
	assert.Equal(t, 1.0*PageTokens, of(pages(1)))
	assert.Equal(t, 101.0*PageTokens, of(pages(101)))
	assert.Equal(t, 1.0*PageTokens, of(pages(0)), "pages that cannot be counted")
	assert.Equal(t, 1.0*PageTokens, of("no document"))
	assert.Equal(t, 1.0*PageTokens, c.Pages([]byte("?")), "no base64")
}
