// Package invariant is the catalogue of what must hold, one file per family, each check with the
// names of the mutants that must trip it. A check is a fold over the event stream: it sees wire bytes
// and log bytes and nothing else, so it can judge any harness and any server (law 2).
//
// A check answers held, broken or unknown: unknown means that it met no occasion. A finding quotes
// two facts that cannot both be true and says where each stands.
package invariant
