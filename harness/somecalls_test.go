//go:build !sweep

package harness_test

// stride is how far apart the port calls are at which a test kills: a prime, so that it meets each part of a round.
const stride = 5
