#!/usr/bin/env bash
# What cmake/test.sh says to wrong arguments, and that shellcheck passes the project's scripts. test_script.sh SOURCE-FOLDER
set -uo pipefail
cd "${1:?the folder of the sources}" || exit 2
status=0
expect() { # exit code, a word that must be printed, arguments
  local wanted=$1 word=$2 text code=0
  shift 2
  text=$(./cmake/test.sh "$@" 2>&1) || code=$?
  if [ "$code" -ne "$wanted" ] || ! grep -qe "$word" <<<"$text"; then
    printf 'test.sh %s: exit code %s and\n%s\nwhere %s and "%s" were expected\n' "$*" "$code" "$text" "$wanted" "$word" >&2
    status=1
  fi
}
expect 0 'asan .*sanitizers' --list
expect 2 "'nothing' is no stage" --stage nothing
expect 2 '  tsan ' --stage nothing
expect 2 "'nothing' is no stage" --stage asan,nothing
expect 2 'asks for a name' --stage
expect 2 'no stage was named' --resume
expect 2 "'--fast' was not expected" --all --fast
. cmake/stages.sh
for stage in "${assay_stages[@]}"; do
  expect 0 "^  $stage " --list
  [ "$(type -t "assay_stage_$stage")" = function ] || { echo "the stage $stage is no function" >&2; status=1; }
done

# The programs that a stage builds are those of the areas that it names.
programs=$(
  cmake() { printf '%s: phony\n' all headers_alone test_core test_core_long test_io_npy test_ionic test_kernels; }
  assay_test_programs any 'core|io'
)
[ "$programs" = 'test_core test_core_long test_io_npy ' ] || { echo "the programs of the areas core and io are '$programs'" >&2; status=1; }

# Stages that pass, fail, are skipped, and end their shell; then with what passed left out.
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
assay_stage_good() { echo run >>"$place/runs"; assay_say "7 tests"; }
assay_stage_bad() { return 3; }
assay_stage_absent() { assay_say "no such device"; return 77; }
assay_stage_ends() { exit 2; }
assay_tree_state() { echo state; }
run() { (cd "$place" && assay_run_stages "$@" 2>&1); }
table=$(run no good absent) || { echo "a skipped stage failed the run" >&2; status=1; }
run no good bad absent ends >"$place/table" && { echo "a failed stage passed the run" >&2; status=1; }
table+=$(run yes good bad)
table+=$(cat "$place/table")
for line in 'good +passed +[0-9]+ s +7 tests' 'good +passed before +- +7 tests' 'bad +FAILED +[0-9]+ s +exit code 3' 'absent +skipped +[0-9]+ s +no such device' \
  'ends +FAILED +[0-9]+ s +exit code 2'; do
  grep -qE "^$line" <<<"$table" || { printf 'no line "%s" in\n%s\n' "$line" "$table" >&2; status=1; }
done
[ "$(wc -l <"$place/runs")" -eq 2 ] || { echo "a stage that had passed ran again" >&2; status=1; }

if command -v shellcheck >/dev/null; then
  shellcheck -x -S warning .ci/run cmake/*.sh bench/gpu/run.sh tests/fuzz/run.sh tests/structure/*.sh || status=1
else
  echo "shellcheck is not here; the scripts were not checked by it"
fi
exit "$status"
