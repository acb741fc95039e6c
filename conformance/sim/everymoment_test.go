//go:build sweep

package sim

// stride is how far apart the moments are at which a sweep kills: with this tag it kills at each.
const stride = 1
