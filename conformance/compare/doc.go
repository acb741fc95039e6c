// Package compare plays one story under several policies and puts side by side what each made of it: calls, tokens by
// class, cost, the longest context, findings. A policy is a set of switches over the story's own. The package judges
// nothing itself and knows nothing of the layers behind the switches: it reads the results of conformance/run.
package compare
