#!/usr/bin/env bash
# From the first commit of a driver to a release that is blocked, and one that is approved:   driver_story.sh ASSAY [FOLDER]
# ASSAY is the tool; FOLDER is made and holds all that comes of it (driver-story). Every step tells its command, and ends the
# story where its exit code is another than the one that belongs there.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 1 ] || { echo "driver_story.sh: give the tool: driver_story.sh ASSAY [FOLDER]" >&2; exit 2; }
ASSAY=$(realpath "$1") folder=${2:-driver-story}
[ ! -e "$folder" ] || { echo "driver_story.sh: '$folder' is there already; the story begins from scratch: name another folder, or remove it" >&2; exit 2; }
mkdir -p "$folder/driver" && cd "$folder" || exit 2
cp "$here"/driver/{plan,policy}.json . || exit 2
# The commits are the same on every machine.
export ASSAY ASSAY_INCLUDE=${ASSAY_INCLUDE:-$(realpath "$here/../../include")} GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8
export GIT_AUTHOR_NAME=Grace GIT_AUTHOR_EMAIL=grace@example.com GIT_AUTHOR_DATE=2026-01-05T09:00:00Z
export GIT_COMMITTER_NAME=Grace GIT_COMMITTER_EMAIL=grace@example.com GIT_COMMITTER_DATE=2026-01-05T09:00:00Z

chapter() { printf '\n== %s\n' "$*"; }

# step CODE COMMAND…: runs it, shows what it says, and expects that exit code.
step() {
  local expected=$1 code=0
  shift
  printf '\n$ %s\n' "$*"
  case $1 in
    assay) "$ASSAY" "${@:2}" --no-config || code=$? ;;
    git) git -C driver "${@:2}" || code=$? ;;
    *) "$@" || code=$? ;;
  esac
  printf '[exit code %s]\n' "$code"
  if [ "$code" -ne "$expected" ]; then
    echo "driver_story.sh: the exit code is $code, and $expected belongs there" >&2
    exit 1
  fi
}

# commit PATCH MESSAGE: one more change of the driver.
commit() {
  step 0 git apply "$here/driver/$1.patch"
  step 0 git commit -qam "$2"
}

# timed VERSION: what the driver's own bench measures, seven times, into the history.
timed() {
  mkdir -p "times/$1" || exit 2
  for run in 1 2 3 4 5 6 7; do
    driver/bench >"times/$1/$run.csv" || exit 2
  done
  step 0 assay history import "times/$1"/*.csv --into times.jsonl --name-column benchmark --value-column seconds=s --label version="$1"
}

chapter "1. The first commit"
cp "$here"/../plugin_c/{kernels.c,kernels.h,plugin.c} "$here"/driver/{bench.c,build.sh,bisect.sh} driver/ || exit 2
printf '%s\n' bench libdriver.so >driver/.gitignore
step 0 git init -q -b main
step 0 git add .
step 0 git commit -qm 'GEMM, softmax and layer normalization'
step 0 driver/build.sh
timed 0.1

chapter "2. Release 1.0: what this machine can answer, what is kept for later, and the certificate"
step 0 assay certify --plan plan.json --print-checklist
step 0 assay baseline record --store baselines --plugin driver/libdriver.so --op gemm --dtype f32.f32.f32 --shape 'm31-n37-k41-*,m64-n64-k48-*' --fill normal --by Grace
step 0 assay profile --backend mine --plugin driver/libdriver.so --dtype f32 --json profile-1.0.json
timed 1.0
# Nobody has read the notes: that is no approval.
step 2 assay certify --plan plan.json --out v1.0
# What has ended is not repeated; Grace has read them, and signs.
step 0 assay certify --plan plan.json --out v1.0 --by Grace --attest notes
step 0 assay certify --verify v1.0
step 0 git tag v1.0

chapter "3. Three commits later: the candidate of release 1.1 is blocked"
commit tiles 'Tiles of 32: half the cache'
commit unroll 'Products four at a time'
commit comment 'Why there is no rsqrt'
step 0 driver/build.sh
timed 1.1-rc1
# From here on users have 1.0: that is what times are held against.
step 0 sed -i 's/"--baseline", "0.1"/"--baseline", "1.0"/' plan.json
step 1 assay certify --plan plan.json --out v1.1-rc1 --previous v1.0/evidence

chapter "4. Which row, which cause, which commit"
id=gemm/mine/f32.f32.f32/m31-n37-k41-nn-row/normal
step 1 assay run --plugin driver/libdriver.so --only "$id"
step 0 assay explain "$id" --plugin driver/libdriver.so
step 0 assay minimize "$id" --plugin driver/libdriver.so --out smallest.json --timeout 20
step 0 git bisect start HEAD v1.0
step 0 git bisect run ./bisect.sh "$(pwd)/smallest.json"
step 0 git bisect reset

chapter "5. Mended, certified, approved"
commit remainder 'The products that are left over'
step 0 driver/build.sh
timed 1.1
step 0 assay run --plugin driver/libdriver.so --case smallest.json
step 0 assay certify --plan plan.json --out v1.1 --previous v1.0/evidence --by Grace --attest notes
step 0 git tag v1.1

chapter "6. What changed since 1.0: arithmetic, outputs, times"
step 1 assay profile --backend mine --plugin driver/libdriver.so --dtype f32 --compare profile-1.0.json
step 0 assay history show times.jsonl
step 0 git log --oneline v1.0..v1.1

chapter "7. Anybody can check the certificate; nobody can change what it is about"
step 0 assay certify --verify v1.1
cp -r v1.1 forged && sed -i 's/"verdict": *"pass"/"verdict": "fail"/' forged/evidence/kernels/report.json || exit 2
step 1 assay certify --verify forged
printf '\n%s holds everything; v1.1/report/report.html is the page, v1.1/report/report.md the release notes.\n' "$(pwd)"
