#!/bin/sh
# What a night does, given a folder with a Makefile, a budget (quick, standard, nightly) and where the SARIF goes:
# capture, account, scan, replay. The workflow calls it, and so do the tests of this repository.
set -eu
cd "$1"
budget=${2:-nightly}
sarif=${3:-verify.sarif}
make clean
make CC=verify-cc
verify ledger --min-coverage 90
# 1: something is violated, which the alerts say; 2: a part could not be read, which the log says.
verify scan --quiet --budget "$budget" --output "$sarif" || test $? -le 2
# What fails is run for real, under sanitizers; the SARIF says which alerts are confirmed.
verify replay --all --results "$sarif" || test $? -le 2
