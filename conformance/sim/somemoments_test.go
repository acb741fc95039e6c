//go:build !sweep

package sim

// stride is how far apart the moments are at which a sweep kills: a prime, so that it does not fall into step with the
// rounds of a story.
const stride = 31
