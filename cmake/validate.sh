#!/usr/bin/env bash
# Validates the kernels of this machine: installs what is missing, builds and takes a first look at GEMM, softmax and
# normalization of every library, then builds the command-line tool and runs the default suite.
#
#   cmake/validate.sh [ARGUMENT…]   arguments go to `assay run`; with some there is no first look
#   cmake/validate.sh --quick       the first look alone
#
# Exit code: 0 passed, 1 something failed, 2 usage or environment.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/cmake/setup.sh"

quick=no
for argument in "$@"; do
  if [ "$argument" = --quick ]; then quick=yes; fi
done
if [ "$quick" = yes ] && [ $# -gt 1 ]; then
  echo "validate.sh: --quick stands alone; other arguments go to 'assay run', which the first look is without" >&2
  exit 2
fi

assay_setup "${assay_program_packages[@]}"
echo "Looking for libraries of kernels"
(cd "$root" && assay_configure release)
build() { (cd "$root" && assay_build release "$@") || { echo "The build failed." >&2; exit 2; }; }

if [ $# -eq 0 ] || [ "$quick" = yes ]; then
  build "The first look" quick_look
  mkdir -p "$root/build/release/first-look"
  code=0
  "$root/build/release/bin/quick_look" "$root/build/release/first-look" || code=$?
  if [ "$quick" = yes ]; then exit "$code"; fi
  echo
fi
build "All operations, and the tool" assay

# The report goes to the build folder unless the arguments say where. It runs where the user stands: paths are hers. Cases
# run in up to four processes of their own: a kernel that crashes costs one case. For times of kernels that mean something:
# --jobs 1.
jobs=$(assay_jobs)
output=(--out "$root/build/release/report") processes=(--isolate --jobs "$((jobs < 4 ? jobs : 4))")
for argument in "$@"; do
  case $argument in
    --out | --out=*) output=() ;;
    --jobs | --jobs=* | --no-isolate | --distribute | --distribute=* | --config | --config=*) processes=() ;;
  esac
done
exec "$root/build/release/bin/assay" run "${output[@]}" "${processes[@]}" "$@"
