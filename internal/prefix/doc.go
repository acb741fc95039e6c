// Package prefix is a request as the model sees it: rendered blocks in render order with identity,
// position, weight, and two hash chains, the cache's and the binding's (D29, D30).
//
// It is written once and used by the server, the judge, explain and the harness's own planning; all
// of it is pure functions. It places, refuses and judges nothing.
package prefix
