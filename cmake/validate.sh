#!/usr/bin/env bash
# Validates the kernels of this machine: installs what is missing, builds the command-line tool, runs the default suite.
# Arguments go to `assay run`. Exit code: 0 passed, 1 something failed, 2 usage or environment.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. cmake/setup.sh

assay_setup "${assay_program_packages[@]}"
assay_configure release
if ! cmake --build --preset release --target assay --parallel "$(assay_jobs)"; then
  echo "The build failed." >&2
  exit 2
fi

report=build/release/report
output=(--out "$report")
for argument in "$@"; do
  case $argument in
    --out | --out=* | -h | --help) output=() ;;
  esac
done

status=0
build/release/bin/assay run "${output[@]}" "$@" || status=$?
if [ ${#output[@]} -gt 0 ]; then
  page=$(find "$report" -maxdepth 1 -name '*.html' -newer build/release/bin/assay 2>/dev/null | head -n 1) || true
  if [ -n "$page" ]; then echo "Report: $PWD/$page"; fi
fi
exit "$status"
