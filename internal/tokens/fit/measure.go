package fit

import (
	"fmt"
	"math"
)

// Figures say how well parameters meet samples.
type Figures struct {
	N, In5, In10 int // samples, within 5 % and within 10 %
	RMS          float64
	Worst        float64 // relative error, with its sign
	WorstID      string
}

// Measure compares counted and recorded totals of the samples with tools or of those without.
func Measure(samples []Sample, p Parameters, tools bool) Figures {
	var f Figures
	squares := 0.0
	for i := range samples {
		s := &samples[i]
		if s.Tools != tools {
			continue
		}
		e := (math.Round(s.size(p)) - s.Total) / s.Total
		f.N++
		squares += e * e
		if math.Abs(e) <= 0.05 {
			f.In5++
		}
		if math.Abs(e) <= 0.10 {
			f.In10++
		}
		if math.Abs(e) > math.Abs(f.Worst) {
			f.Worst, f.WorstID = e, s.ID
		}
	}
	f.RMS = math.Sqrt(squares / float64(max(1, f.N)))
	return f
}

func (f Figures) String() string {
	share := func(n int) float64 { return 100 * float64(n) / float64(max(1, f.N)) }
	return fmt.Sprintf("n %3d  rms %4.1f %%  within 5 %% %5.1f %%  within 10 %% %5.1f %%  worst %+.0f %%",
		f.N, 100*f.RMS, share(f.In5), share(f.In10), 100*f.Worst)
}

// HeldOut measures each sample by a fit to the others: every fifth sample is kept aside in turn. fixed are
// samples every fit gets and none is measured on.
func HeldOut(generation string, samples, fixed []Sample, tools bool) Figures {
	const parts = 5
	var all Figures
	squares := 0.0
	for part := range parts {
		kept, others := []Sample{}, append([]Sample{}, fixed...)
		for i, s := range samples {
			if i%parts == part {
				kept = append(kept, s)
			} else {
				others = append(others, s)
			}
		}
		f := Measure(kept, Fit(generation, others), tools)
		all.N, all.In5, all.In10 = all.N+f.N, all.In5+f.In5, all.In10+f.In10
		squares += f.RMS * f.RMS * float64(f.N)
		if math.Abs(f.Worst) > math.Abs(all.Worst) {
			all.Worst, all.WorstID = f.Worst, f.WorstID
		}
	}
	all.RMS = math.Sqrt(squares / float64(max(1, all.N)))
	return all
}
