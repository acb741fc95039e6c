// Package validate holds the rules of a request in the measured order (api-verdicts-notes.md 2): one
// fault is reported, in the API's own status, type and text; Every lists them all. Rules stand in tables by
// area, one file an area: shapes of objects as data, relations as small functions. It knows the request, the
// headers and the model table; it knows no cache, no script and no clock, and it fetches nothing.
package validate
