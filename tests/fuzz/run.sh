#!/usr/bin/env bash
# Runs one fuzz target from its kept corpus.
#
#   run.sh PROGRAM short     for FUZZ_SECONDS (10), from a seed that is always the same: a change is judged by what it changed
#   run.sh PROGRAM plateau   in rounds of FUZZ_SECONDS (60), each from another seed, until one finds no new edge, FUZZ_LIMIT seconds (1800) at most
#
# What makes a target fail is kept, small as it can be made, beside the program's build folder in fuzz/<target>/. Exit code: 0 nothing was found.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${1:?a program} mode=${2:?short or plateau}
target=${program##*/fuzz_}
work=$PWD/fuzz/$target
mkdir -p "$work/corpus"

options=(-rss_limit_mb=1024 -malloc_limit_mb=512 -timeout=10 -max_len=8192 -print_final_stats=1 "-artifact_prefix=$work/")
[ -f "$here/dictionaries/$target" ] && options+=("-dict=$here/dictionaries/$target")
[ "$target" = command_line ] && options+=(-close_fd_mask=3)  # what the tool prints of wrong arguments
# Reports of what no reader may do, leaks among it; an allocation that fails is told to the reader, as everywhere.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1

# One round of so many seconds from a seed (0: any), from what earlier ones found, too. Sets `edges` and `runs`.
round() {
  local seconds=$1 seed=$2 log=$work/log
  if ! "$program" "${options[@]}" -seed="$seed" -max_total_time="$seconds" "$work/corpus" "$here/corpus/$target" >"$log" 2>&1; then
    tail -n 40 "$log"
    find "$work" -maxdepth 1 -type f -name '*-*' -printf 'kept: %p\n'
    return 1
  fi
  edges=$(sed -n 's/.*DONE .*cov: \([0-9]*\).*/\1/p' "$log")
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  [ -n "$edges" ] || { echo "libFuzzer told no coverage; see $log" && return 1; }
}

case $mode in
  short)
    round "${FUZZ_SECONDS:-10}" 1 || exit 1
    echo "$target: $edges edges, $runs runs, nothing found"
    ;;
  plateau)
    begin=$SECONDS before=-1 all=0 edges=0 runs=0 end='coverage is level'
    while [ "$edges" -gt "$before" ]; do
      if [ $((SECONDS - begin)) -ge "${FUZZ_LIMIT:-1800}" ]; then
        end='the time was up before coverage was level'
        break
      fi
      before=$edges
      round "${FUZZ_SECONDS:-60}" 0 || exit 1
      all=$((all + runs))
    done
    echo "$target: $edges edges, $all runs in $((SECONDS - begin)) s, $end, nothing found"
    ;;
  *)
    echo "run.sh: '$mode' is no mode; give short or plateau" >&2
    exit 2
    ;;
esac
