// Package invariant is the catalogue of what must hold, one file per family, each check with the
// names of the mutants that must trip it. A check is a fold over the event stream: it sees wire bytes
// and log bytes and nothing else, so it can judge any harness and any server (law 2).
//
// A stream is read once for all checks: requests are parsed and rendered over the ones before them,
// answers assembled, log lines read and set beside the requests. A check is an observer of that
// reading; it names its occasions by calls and log lines, so that runs on different engines can be
// compared by their counts. Time is asked for one thing alone: a pause longer than a cache entry lives is
// a declared break of the prefix (CACHE-1).
//
// A check answers held, broken or unknown: unknown means that it met no occasion. A finding quotes
// two facts that cannot both be true and says where each stands.
package invariant
