// Package laws holds no code: its tests read the source tree and enforce the laws between the rooms
// (which room may import which, where the outside world may be touched, where order must not leak).
// Each law prints its reason when it breaks.
package laws
