//go:build sweep

package harness_test

// stride is how far apart the port calls are at which a test kills: with this tag it kills at each.
const stride = 1
