package invariant

// compactChecks is the family of compaction (invariants.md 3, CMP). They rest on what only the bench's own runs tell: which
// request asks for a summary and why, the options in force, the boundary in the log and what it keeps, what the user did
// meanwhile. Of a foreign harness the wire alone is known, so they stay unknown there, as CACHE-6 and THINK-5 do, which have
// to know what a request stands beside. One thing is unmistakable on the wire too: a request that asks for a summary, is
// refused as too long and comes again unchanged, time after time (CMP-4).
func compactChecks() []check {
	return []check{
		{
			Info: Info{ID: "CMP-1", Level: H, Engines: ownHarness, Source: "invariants.md CMP-1; harness.md H-CMP-5, H-CMP-74",
				Sentence: "When a summary takes the place of a conversation, no call of it is open but one that stays, and no result stays whose call does not.",
				Mutants:  []string{"compacted-inside-a-round", "result-kept-without-call"}},
			idle: "no compaction was logged", begin: func() observer { return cmp1{} },
		},
		{
			Info: Info{ID: "CMP-2", Level: H, Engines: ownHarness, Source: "invariants.md CMP-2, D11; harness.md H-CMP-35 to H-CMP-40",
				Sentence: "A harness compacts by itself when its conversation has reached the threshold, before the next main request, and not sooner; the size is what the newest answer reports, all input and the output, and an estimate of what came since.",
				Mutants:  []string{"threshold-never-seen", "compacted-too-early"}},
			idle: "no request came near the threshold, and nothing compacted by itself", begin: func() observer { return &cmp2{} },
		},
		{
			Info: Info{ID: "CMP-3", Level: H, Engines: ownHarness, Source: "invariants.md CMP-3; harness.md H-CMP-39, H-CMP-84",
				Sentence: "No compaction that the user did not ask for follows another without an accepted main answer between, the server's own included, none begins inside another, and each leaves less than there was and less than the threshold; one that the user asked for, at least one of the two.",
				Mutants:  []string{"compacted-twice", "summary-no-shorter"}},
			idle: "no compaction was tried", begin: func() observer { return &cmp3{} },
		},
		{
			Info: Info{ID: "CMP-4", Level: H, Engines: anyEngine, Source: "invariants.md CMP-4; harness.md H-CMP-63, H-CMP-64",
				Sentence: "Three compactions in a row that fail end them for the session or its cool-down, a context that fills again at once ends the turn at the third time, and a summary request that was refused for good is not sent again as it was.",
				Mutants:  []string{"breaker-ignored", "failed-summary-resent", "thrashing"}},
			idle: "no compaction was tried", begin: func() observer { return &cmp4{} },
		},
		{
			Info: Info{ID: "CMP-5", Level: H, Engines: ownHarness, Source: "invariants.md CMP-5; harness.md H-CMP-50, H-CMP-54",
				Sentence: "A summary request asks for no more output than the model gives; after a refusal as too long the next one is smaller, and three times is the limit.",
				Mutants:  []string{"summary-request-no-smaller", "summary-asks-too-much"}},
			idle: "no summary was asked for", begin: func() observer { return cmp5{} },
		},
		{
			Info: Info{ID: "CMP-6", Level: H, Engines: ownHarness, Source: "invariants.md CMP-6, D5; harness.md H-CMP-48, H-CMP-70, H-CMP-74, H-CMP-78, H-CMP-83, H-CMP-84",
				Sentence: "The summary request holds all text it is to replace, and what is answered is logged; the first main request behind the boundary, or behind a pause of the server's, has the same tools and system, all that stays, and, unless the user asked for the summary, the newest prompt word for word.",
				Mutants:  []string{"newest-prompt-summarised", "summary-request-loses-text", "system-changed-by-compaction"}},
			idle: "no main request followed a compaction", begin: func() observer { return cmp6{} },
		},
		{
			Info: Info{ID: "CMP-7", Level: H, Engines: ownHarness, Source: "invariants.md CMP-7; harness.md H-CMP-65, H-CMP-66, H-CMP-84",
				Sentence: "While a summary is asked for no main request leaves; a boundary is logged only behind an answer of its own, with its summary; what the user types meanwhile goes out; and a turn that was compacted goes on, unless something says why not.",
				Mutants:  []string{"main-call-during-compaction", "boundary-without-summary", "turn-ends-at-compaction"}},
			idle: "no compaction was tried", begin: func() observer { return &cmp7{} },
		},
		{
			Info: Info{ID: "CMP-8", Level: C, Engines: ownHarness, Source: "invariants.md CMP-8; harness.md H-CMP-38, H-CMP-62",
				Sentence: "No summary and no request for one holds an image as text, and after a refusal for too many bytes the next request of the turn has fewer.",
				Mutants:  []string{"image-as-text-in-summary"}},
			idle: "no compaction met an image, and no request was refused for its bytes", begin: func() observer { return &cmp8{} },
		},
	}
}
