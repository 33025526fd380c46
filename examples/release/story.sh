#!/usr/bin/env bash
# The story of a release, from scratch:   story.sh ASSAY RELEASE [FOLDER]
# ASSAY is the tool, RELEASE the program made of main.cpp beside this script, FOLDER is made and holds all that comes of it
# (release-story). Every step tells its command, and ends the story where its exit code is another than the one that belongs there.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 2 ] || { echo "story.sh: give the tool and the program: story.sh ASSAY RELEASE [FOLDER]" >&2; exit 2; }
assay=$(realpath "$1") release=$(realpath "$2") folder=${3:-release-story}
[ ! -e "$folder" ] || { echo "story.sh: '$folder' is there already; the story begins from scratch: name another folder, or remove it" >&2; exit 2; }
mkdir -p "$folder" && cd "$folder" || exit 2
cp "$here"/{matrix,policy,waivers}.json . || exit 2

chapter() { printf '\n== %s\n' "$*"; }

# step CODE COMMAND…: runs it, shows what it says, and expects that exit code.
step() {
  local expected=$1 code=0
  shift
  if [ $# -gt 20 ]; then printf '\n$ %s … %s\n' "${*:1:4}" "${*: -3}"; else printf '\n$ %s\n' "$*"; fi
  case $1 in
    assay) "$assay" "${@:2}" --no-config || code=$? ;;
    release) "$release" "${@:2}" || code=$? ;;
    *) "$@" || code=$? ;;
  esac
  printf '[exit code %s]\n' "$code"
  if [ "$code" -ne "$expected" ]; then
    echo "story.sh: the exit code is $code, and $expected belongs there" >&2
    exit 1
  fi
}

chapter "1. Baselines of real kernels"
# Small products of this machine's reference kernel; a release farm would record all of them, on every library.
step 0 assay baseline record --store baselines --backend host --op gemm --dtype f32.f32.f32 --shape 'm33-n17-*' --by ada
step 0 assay baseline compare --store baselines --backend host --op gemm --dtype f32.f32.f32 --shape 'm33-n17-*'
# What has no baseline has not been compared: that is no pass.
step 2 assay baseline compare --store baselines --backend host --op gemm --dtype f32.f32.f32 --shape 'm1-n1-*'

chapter "2. Twelve releases: one metric drifts by 1 % a release, one is 3 % slower since 1.8"
step 0 release nights nights
step 0 assay history import nights/*.json --into history.jsonl
step 1 assay history scan history.jsonl --baseline 1.0 --out scan
# The same with a real clock: what it says depends on how quiet this machine is, so that nothing is made of it.
step 0 release slower

chapter "3. A matrix of 3 x 3 x 3 x 3 with corners that cannot be; under one driver the kernel drops a product"
step 0 assay matrix shard matrix.json --out results --by 'nightly farm'
# Two machines are out of order tonight: their combinations stay holes.
holes=$(find results -mindepth 1 -maxdepth 1 -type d | LC_ALL=C sort | sed -n '5p;20p')
for hole in $holes; do mkdir -p tomorrow && mv "$hole" tomorrow/; done
step 0 release combinations results
step 1 assay matrix report matrix.json results --out compatibility
step 2 assay matrix status matrix.json results

chapter "4. The gate blocks, for two reasons"
step 1 assay gate results scan/report.json --policy policy.json --today 2026-03-01
# Without results nobody can tell.
mkdir nothing
step 2 assay gate nothing --policy policy.json --today 2026-03-01

chapter "5. Waivers let it through, until they expire"
step 0 assay gate results scan/report.json --policy policy.json --waivers waivers.json --today 2026-03-15 --out approved
step 1 assay gate results scan/report.json --policy policy.json --waivers waivers.json --today 2026-03-16 --out gate

chapter "6. The dashboard shows it all"
step 0 assay report --history history.jsonl --order version --matrix matrix.json --results results --gate gate/report.json --title 'Release 1.11' --out dashboard.html
printf '\n%s holds everything; open %s in a browser.\n' "$(pwd)" "$(pwd)/dashboard.html"
