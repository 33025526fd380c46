#!/usr/bin/env bash
# Validates the kernels of this machine: installs what is missing, builds the command-line tool, runs the default suite.
# Arguments go to `assay run`. Exit code: 0 passed, 1 something failed, 2 usage or environment.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/cmake/setup.sh"

assay_setup "${assay_program_packages[@]}"
(
  cd "$root" &&
  assay_configure release &&
  cmake --build --preset release --target assay --parallel "$(assay_jobs)"
) || {
  echo "The build failed." >&2
  exit 2
}

# The report goes to the build folder unless the arguments say where. It runs where the user stands: paths are hers. Cases run in up to
# four processes of their own: a kernel that crashes costs one case. For times of kernels that mean something: --jobs 1.
jobs=$(assay_jobs)
output=(--out "$root/build/release/report") processes=(--isolate --jobs "$((jobs < 4 ? jobs : 4))")
for argument in "$@"; do
  case $argument in
    --out | --out=*) output=() ;;
    --jobs | --jobs=* | --no-isolate | --distribute | --distribute=* | --config | --config=*) processes=() ;;
  esac
done
exec "$root/build/release/bin/assay" run "${output[@]}" "${processes[@]}" "$@"
