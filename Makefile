# Thin names over go commands; `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help build check test race lint stories update rules sweep mutants outside bench ci

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

build: ## build ./bench
	go build -o bench ./cmd/bench

check: ## vet, gofmt and the laws between the rooms (seconds)
	go vet ./...
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo 'gofmt would change these files'; exit 1; }
	go test ./internal/laws

test: ## the plain tests
	go test ./...

race: ## the tests under the race detector
	go test -race ./...

lint: ## staticcheck, settings in staticcheck.conf
	go run $(STATICCHECK) ./...

stories: ## every story on every model of the matrix, against the goldens
	go run ./cmd/bench run --model matrix scenarios/

update: ## rewrite the goldens; say why in the commit
	go run ./cmd/bench run --update scenarios/

sweep: ## kills at every moment and cuts at every byte, of all stories (minutes)
	go test -tags sweep -timeout 60m ./harness ./conformance/sim ./conformance/suite/real

mutants: ## each planted fault of the server is caught by its named test (minutes)
	go test -tags mutants -timeout 20m -run EachMutant ./fakeapi

rules: ## write harness/RULES.md and harness/BUGS.md and say what they lack
	go run ./cmd/rulebook

outside: ## tests that read recorded traffic from ../shared
	go test -tags outside ./...

bench: ## the budgets, as ratios in one run
	go test -run '^$$' -bench . -benchtime 300ms ./...

ci: ## what CI runs
	bash .ci/run
