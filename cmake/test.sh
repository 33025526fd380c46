#!/usr/bin/env bash
# Builds and runs all tests: installs what is missing first. Arguments go to ctest.
# Exit code: 0 passed, 1 something failed, 2 the environment.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. cmake/setup.sh

assay_setup "${assay_program_packages[@]}" "${assay_test_packages[@]}"
assay_configure test
assay_python_environment build/test/python "${assay_oracle_packages[@]}"
cmake --build --preset test --parallel "$(assay_jobs)" || exit 1
rm -f build/test/Testing/Temporary/LastTest.log
ctest --preset test --parallel "$(nproc)" "$@" || status=1
assay_tell_skipped build/test
exit "${status:-0}"
