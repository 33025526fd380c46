#!/usr/bin/env bash
# Builds and runs tests, in tiers: installs what is missing first.
#
#   cmake/test.sh [ARGUMENT…]            the regular tier, which every change must pass; arguments go to ctest
#   cmake/test.sh --all [--resume]       every stage, which takes hours
#   cmake/test.sh --stage NAME[,NAME…] [--resume]
#   cmake/test.sh --list                 the stages
#   --resume   leaves out the stages that passed on these very files
#
# Exit code: 0 passed, 1 something failed, 2 usage or environment.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. cmake/setup.sh
. cmake/stages.sh

usage() {
  echo "test.sh: $1" >&2
  sed -n '3,/^set /p' "${BASH_SOURCE[0]}" | sed '$d; s/^# \{0,1\}//' >&2
  echo "Stages:" >&2
  assay_list_stages >&2
  exit 2
}

stages=() resume=no
case ${1:-} in
  --list) assay_list_stages; exit ;;
  --all | --stage | --stage=* | --resume)
    while [ $# -gt 0 ]; do
      case $1 in
        --all) stages=("${assay_stages[@]}") ;;
        --stage) IFS=, read -ra stages <<<"${2:-}"; shift ;;
        --stage=*) IFS=, read -ra stages <<<"${1#*=}" ;;
        --resume) resume=yes ;;
        *) usage "'$1' was not expected" ;;
      esac
      shift || usage "--stage asks for a name"
    done
    [ ${#stages[@]} -gt 0 ] || usage "no stage was named; give --all or --stage NAME"
    for stage in "${stages[@]}"; do
      assay_is_stage "$stage" || usage "'$stage' is no stage"
    done
    assay_run_stages "$resume" "${stages[@]}"
    exit
    ;;
esac

status=0
assay_stage_regular "$@" || status=$?
if [ $# -eq 0 ]; then
  others=("${assay_stages[@]:1}")
  echo "Stages that did not run: ${others[*]} (cmake/test.sh --all, or --stage NAME)"
fi
exit "$status"
