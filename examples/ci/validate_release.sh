#!/usr/bin/env bash
# Validates a release, over its version matrix or by a plan; the templates beside this script call it, and nothing else decides there.
#
#   validate_release.sh plan       makes a folder of results for every combination of the matrix, and prints their names as JSON
#   validate_release.sh collect    on a machine of the matrix: runs one combination, against its baselines
#   validate_release.sh decide     where all results are: history, compatibility, gate, dashboard
#   validate_release.sh all        the three, one after the other, on this machine
#   validate_release.sh certify    a plan of assay certify on this machine, its checklist, and a certificate where BY signs
#
# Settings come from the environment; README.md lists them. Exit code of plan and collect: 0 done, 2 could not be done: what a
# kernel does wrong is for the gate to judge, and no failure of theirs. Of decide and all, that of the gate, of certify
# that of the checklist: 0 approved, 1 blocked, 2 cannot tell.
set -uo pipefail

: "${ASSAY:=assay}"                      # the tool
: "${RESULTS:=results}"                  # a folder a combination
: "${REPORTS:=reports}"                  # what decide writes
: "${MATRIX:=}"                          # assay-matrix/1; none: one combination, this machine
: "${POLICY:=}"                          # assay-policy/1; none: the default policy of the tool
: "${BASELINES:=}"                       # a folder of baselines; none: nothing is compared with one
: "${HISTORY:=}"                         # history.jsonl or history.sqlite; none: no trends
: "${HISTORY_BASELINE:=10}"              # the version that the newest runs are held against, or how many runs before them
: "${BENCHMARKS:=}"                      # folders or files of benchmark results (Google Benchmark, nvbench, pytest-benchmark, CSV)
: "${VERSION:=}"                         # of what is released
: "${COMBINATION:=}"                     # of collect: the name of a folder that plan made
: "${RUN_OPTIONS:=--isolate --timeout 300 --retries 1}"
: "${BASELINE_OPTIONS:=}"
: "${PLAN:=smoke}"                       # of certify: smoke, node-acceptance, nightly, driver-release, model-release, or a file
: "${CERTIFICATE:=certificate}"          # of certify: where evidence, page and certificate go; again: it goes on where it stopped
: "${BY:=}"                              # of certify: who signs; none: an approval makes no certificate
: "${ATTEST:=}"                          # of certify: what that person vouches for, as in notes
: "${PREVIOUS:=}"                        # of certify: evidence of the release before

log() { printf '%s\n' "$*" >&2; }

# Tells the build server as it likes to be told; elsewhere it is a line like others.
tell() {
  local level=$1
  shift
  if [ -n "${GITHUB_ACTIONS:-}" ]; then printf '::%s::%s\n' "$level" "$*" >&2; else log "$level: $*"; fi
}

cannot() {
  tell error "$*"
  exit 2
}

# Runs a command of the tool; its exit code, after telling it.
assay() {
  local code=0
  log "+ $ASSAY $*"
  "$ASSAY" "$@" || code=$?
  [ "$code" -eq 0 ] || log "  exit code $code"
  return "$code"
}

# A step whose answer 1 ("something is wrong") is for the gate; 2 and above means that there is no answer.
step() {
  local code=0
  assay "$@" || code=$?
  [ "$code" -le 1 ]
}

folders() {
  find "$RESULTS" -mindepth 2 -maxdepth 2 -name combination.json -printf '%h\n' 2>/dev/null | sed 's|.*/||' | LC_ALL=C sort
}

plan() {
  mkdir -p "$RESULTS" || cannot "no folder '$RESULTS' can be made"
  if [ -n "$MATRIX" ]; then
    assay matrix shard "$MATRIX" --out "$RESULTS" --by "${GITHUB_REPOSITORY:-${CI_PROJECT_PATH:-$(id -un)}}" >&2 || cannot "the matrix '$MATRIX' gives no combinations"
  else
    mkdir -p "$RESULTS/here"
  fi
  local names
  names=$(if [ -n "$MATRIX" ]; then folders; else echo here; fi)
  [ -n "$names" ] || cannot "'$RESULTS' holds no combination"
  printf '%s\n' "$names" | sed 's/.*/"&"/' | paste -sd, | sed 's/.*/[&]/'
}

collect() {
  local folder options=()
  if [ -z "$COMBINATION" ]; then
    [ -z "$MATRIX" ] || cannot "COMBINATION is not set: name one of the folders in '$RESULTS'"
    COMBINATION=here
  fi
  folder=$RESULTS/$COMBINATION
  [ -d "$folder" ] || cannot "'$folder' is no folder: COMBINATION names one that plan made"
  read -ra options <<<"$RUN_OPTIONS"
  step run "${options[@]}" --out "$folder" --format junit,sarif,markdown || cannot "assay run gave no results for $COMBINATION"
  if [ -n "$BASELINES" ]; then
    read -ra options <<<"$BASELINE_OPTIONS"
    mkdir -p "$folder/baseline"
    step baseline compare "${options[@]}" --store "$BASELINES" --out "$folder/baseline" || cannot "assay baseline compare gave no results for $COMBINATION"
  fi
  return 0
}

decide() {
  local code=0 runs=() options=() dashboard=() import
  mkdir -p "$REPORTS" || cannot "no folder '$REPORTS' can be made"
  if [ -n "$HISTORY" ]; then
    for import in $BENCHMARKS; do
      while IFS= read -r file; do
        assay history import "$file" --into "$HISTORY" ${VERSION:+--label "version=$VERSION"} || cannot "'$file' cannot be imported"
      done < <(find "$import" -type f \( -name '*.json' -o -name '*.csv' \) | LC_ALL=C sort)
    done
    # Also where nothing can be decided yet, its report says so, for the gate to judge.
    rm -f "$REPORTS/history/report.json"
    assay history scan "$HISTORY" --baseline "$HISTORY_BASELINE" --out "$REPORTS/history" || [ -f "$REPORTS/history/report.json" ] || cannot "the history '$HISTORY' cannot be scanned"
    dashboard+=(--history "$HISTORY")
  fi
  while IFS= read -r file; do runs+=("$file"); done < <(find "$RESULTS" -type f -name report.json | LC_ALL=C sort)
  [ ! -f "$REPORTS/history/report.json" ] || runs+=("$REPORTS/history/report.json")
  if [ -n "$MATRIX" ]; then
    # A hole is no failure of this step: the matrix says it, and the policy what it means.
    assay matrix report "$MATRIX" "$RESULTS" --out "$REPORTS/matrix" || true
    dashboard+=(--matrix "$MATRIX" --results "$RESULTS")
  fi
  [ -z "$POLICY" ] || options=(--policy "$POLICY")
  assay gate ${runs[0]+"${runs[@]}"} ${options[0]+"${options[@]}"} --out "$REPORTS/gate" || code=$?
  [ ! -f "$REPORTS/gate/report.json" ] || dashboard+=(--gate "$REPORTS/gate/report.json")
  if [ -z "$MATRIX" ]; then dashboard+=(${runs[0]+"${runs[@]}"}); fi
  assay report "${dashboard[@]}" --out "$REPORTS/dashboard.html" || tell warning "there is no dashboard"
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || [ ! -f "$REPORTS/gate/report.md" ] || cat "$REPORTS/gate/report.md" >>"$GITHUB_STEP_SUMMARY"
  case $code in
    0) tell notice "the release is approved" ;;
    1) tell error "the release is blocked; $REPORTS/gate says why" ;;
    *) code=2 && tell error "the gate cannot tell, which is no approval; $REPORTS/gate says what is missing" ;;
  esac
  return "$code"
}

certify() {
  local code=0
  assay certify --plan "$PLAN" --out "$CERTIFICATE" ${BY:+--by "$BY"} ${ATTEST:+--attest "$ATTEST"} ${PREVIOUS:+--previous "$PREVIOUS"} || code=$?
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || [ ! -f "$CERTIFICATE/report/report.md" ] || cat "$CERTIFICATE/report/report.md" >>"$GITHUB_STEP_SUMMARY"
  # What was signed is read again, as whoever gets it will.
  if [ "$code" -eq 0 ] && [ -n "$BY" ]; then assay certify --verify "$CERTIFICATE" || cannot "the certificate in '$CERTIFICATE' does not hold"; fi
  case $code in
    0) tell notice "the plan $PLAN is approved" ;;
    1) tell error "the plan $PLAN is blocked; $CERTIFICATE/report says why" ;;
    *) code=2 && tell error "not every row of the plan $PLAN is answered, which is no approval; $CERTIFICATE/report says which" ;;
  esac
  return "$code"
}

case ${1:-} in
  plan) plan ;;
  collect) collect ;;
  decide) decide ;;
  certify) certify ;;
  all)
    names=$(plan) || exit $?
    for COMBINATION in $(printf '%s' "$names" | tr -d '[]"' | tr , ' '); do (collect) || tell warning "$COMBINATION has no results"; done
    decide
    ;;
  *) cannot "give plan, collect, decide, all or certify; the head of this script explains them" ;;
esac
