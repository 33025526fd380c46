#!/usr/bin/env bash
# Builds and runs all tests and benches of CUDA devices on a machine that has nvcc, a C++20 compiler of the host and this repository, nothing else.
#
#   bench/gpu/run.sh [--build-only] [--sanitize] [--seconds N] [--arch N] OUT
#
# Results go to the folder OUT: results.md (the table), tests.jsonl, benches.jsonl, environment.txt, a log for each stage, and the programs in OUT/build.
#   --build-only   does not run anything
#   --sanitize     runs tests under compute-sanitizer, too: memcheck, then racecheck
#   --seconds N    begins nothing new once so many seconds are over (default 440, so that all ends within 8 minutes)
#   --arch N       the architecture (default: that of the GPU, or 90)
# cuBLAS and cuDNN are used where their headers and libraries are found (CUDA_PATH, CUDNN_PATH).
# Exit code: 0 all ran and passed, 1 a stage failed or the time was up before it, 2 no GPU or wrong usage. Aims of speed that are missed are told in the table, no failure.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
begin=$SECONDS
build_only=no sanitize=no seconds=440 arch='' out=''
usage() { sed -n '2,/^set /p' "${BASH_SOURCE[0]}" | sed '$d; s/^# \{0,1\}//' >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    --build-only) build_only=yes ;;
    --sanitize) sanitize=yes ;;
    --seconds) shift; seconds=${1:-} ;;
    --arch) shift; arch=${1:-90} ;;
    -*) usage ;;
    *) [ -z "$out" ] || usage; out=$1 ;;
  esac
  shift || usage
done
[ -n "$out" ] && [[ $seconds =~ ^[0-9]+$ ]] || usage
mkdir -p "$out/build" "$out/logs" || exit 2
out=$(cd "$out" && pwd)
build=$out/build
rm -f "$out"/{results.md,benches.md,tests.jsonl,benches.jsonl,environment.txt} "$out"/logs/*

left() { echo $((seconds - (SECONDS - begin))); }
status=0
report() { # stage, verdict, remark
  printf '| %s | %s | %s |\n' "$1" "$2" "${3//|//}" >>"$out/stages.md"
  printf '%-34s %-8s %s\n' "$1" "$2" "$3"
  if [ "$2" = failed ]; then status=1; fi
}
: >"$out/stages.md"

# --- what is here ---

nvcc=$(command -v nvcc || ls "${CUDA_PATH:-${CUDA_HOME:-/usr/local/cuda}}/bin/nvcc" 2>/dev/null)
if [ -z "$nvcc" ]; then
  echo "nvcc was not found; put it on PATH, or set CUDA_PATH to CUDA's folder" >&2
  exit 2
fi
cuda=$(cd "$(dirname "$(readlink -f "$nvcc")")/.." && pwd)
# The first of the folders that has the header, or library.
first_with() {
  local name=$1 folder
  shift
  for folder in "$@"; do [ -e "$folder/$name" ] && { echo "$folder"; return; }; done
}
# Python's packages of NVIDIA's hold the libraries on machines that were set up for frameworks.
mapfile -t packages < <(python3 -c 'import glob, sysconfig; [print(folder) for folder in glob.glob(sysconfig.get_paths()["purelib"] + "/nvidia/*")]' 2>/dev/null)
includes=() libraries=("$cuda/lib64" "$cuda/lib" "$cuda/targets/x86_64-linux/lib")
headers=("${CUDNN_PATH:-/nowhere}/include" "$cuda/include" /usr/include /usr/include/x86_64-linux-gnu)
for package in "${packages[@]}"; do headers+=("$package/include"); libraries+=("$package/lib"); done
libraries=("${CUDNN_PATH:-/nowhere}/lib" "${CUDNN_PATH:-/nowhere}/lib64" "${libraries[@]}" /usr/lib/x86_64-linux-gnu)
# Sets link_<name> to what a linker needs for the libraries, or to nothing.
find_library() { # name, header, libraries…
  local name=$1 header=$2 place folder links=()
  shift 2
  place=$(first_with "$header" "${headers[@]}")
  [ -n "$place" ] || return 1
  for library in "$@"; do
    folder='' file=''
    for folder in "${libraries[@]}"; do
      file=$(ls "$folder/lib$library.so" "$folder/lib$library.so".* 2>/dev/null | head -n 1)
      [ -n "$file" ] && break
    done
    [ -n "$file" ] || return 1
    links+=("$file" "-Wl,-rpath,$folder")
  done
  [ "$place" = "$cuda/include" ] || [ "$place" = /usr/include ] || includes+=(-isystem "$place")
  printf -v "link_$name" '%s\n' "${links[@]}"
}
# shellcheck disable=SC2034  # read by name
link_cudart='' link_cublas='' link_cudnn=''
find_library cudart cuda_runtime_api.h cudart || { echo "the CUDA runtime's library was not found beside $nvcc" >&2; exit 2; }
find_library cublas cublasLt.h cublas cublasLt || true
find_library cudnn cudnn_graph.h cudnn || true
# Libraries that load others by name, as cuDNN does, find them.
for folder in "${libraries[@]}"; do
  if [ -d "$folder" ] && [ "$folder" != /usr/lib/x86_64-linux-gnu ]; then LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder; fi
done
export LD_LIBRARY_PATH

# The first device, as programs see it; nvidia-smi counts otherwise, and is not everywhere.
mapfile -t cudart <<<"${link_cudart%$'\n'}"
"${CXX:-g++}" -x c++ "-I$cuda/include" "${includes[@]}" - -x none "${cudart[@]}" -o "$build/first_device" >"$out/logs/first_device" 2>&1 <<'END'
#include <cuda_runtime_api.h>
#include <cstdio>
int main() {
  cudaDeviceProp device{};
  const cudaError_t code = cudaGetDeviceProperties(&device, 0);
  if (code != cudaSuccess) return std::fprintf(stderr, "%s\n", cudaGetErrorString(code)), 1;
  return std::printf("%s, %d.%d", device.name, device.major, device.minor) < 0;
}
END
gpu=$("$build/first_device" 2>>"$out/logs/first_device") || gpu=''
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | grep -m 1 -E '^[0-9.]+$' || true)
if [ -z "$arch" ]; then
  arch=${gpu##*, }
  arch=${arch//./}
  [[ $arch =~ ^[0-9]+$ ]] || arch=90
fi
{
  echo "date: $(date -u +%Y-%m-%dT%H:%MZ)"
  echo "gpu, compute capability, driver: ${gpu:-none}, ${driver:-unknown}"
  echo "nvcc: $("$nvcc" --version | grep release)"
  echo "host: $(nproc) processors, $("${CXX:-g++}" --version 2>/dev/null | head -n 1)"
  echo "revision: $(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)"
  echo "architecture: sm_$arch"
} | tee "$out/environment.txt"

# --- build: objects side by side, then programs ---

# The dearest to compile first; gemm_reference and compare hold the device's bits against the host's.
parts=4 # of the list of operations, as in tests/devices/CMakeLists.txt
test_units=(compare gemm quantize backend validators gemm_reference hardware)
for ((part = parts - 1; part >= 0; --part)); do test_units=("operations_$part" "${test_units[@]}"); done
benches=(memory rows hardware)
[ -n "$link_cublas" ] && benches+=(products)
[ -n "$link_cudnn" ] && benches+=(attention)
flags=(-std=c++20 -O2 "-gencode=arch=compute_$arch,code=sm_$arch" -lineinfo "-I$root/include" "${includes[@]}")
jobs=$(nproc)
memory=$(awk '/^MemAvailable:/ { print int($2 / 2000000) }' /proc/meminfo 2>/dev/null)
if [ -n "$memory" ] && [ "$memory" -ge 1 ] && [ "$memory" -lt "$jobs" ]; then jobs=$memory; fi
commands=$build/commands
: >"$commands"
compile() { # name, source, flags…
  local name=$1 source=$2
  shift 2
  printf '%s\0' "$(printf '%q ' "$nvcc" -x cu "${flags[@]}" "$@" -c "$source" -o "$build/$name.o") >$(printf %q "$out/logs/compile_$name") 2>&1 || { rm -f $(printf %q "$build/$name.o"); false; }" >>"$commands"
}
for unit in "${test_units[@]}"; do
  of_unit=()
  [[ $unit == operations_* ]] && of_unit=("-DASSAY_TEST_PARTS=$parts" "-DASSAY_TEST_PART=${unit##*_}")
  compile "test_$unit" "$root/tests/devices/${unit%_[0-9]*}.cu" "-I$root/tests" -DASSAY_TEST_PLAIN "${of_unit[@]}"
done
for bench in "${benches[@]}"; do compile "bench_$bench" "$root/bench/gpu/$bench.cu"; done
compile runner "$root/tests/testing/plain_runner.cpp" "-I$root/tests" -DASSAY_TEST_PLAIN
rm -f "$build"/*.o
echo "building $(tr -cd '\0' <"$commands" | wc -c) units, $jobs at a time"
xargs -0 -P "$jobs" -n 1 bash -c <"$commands"
link() { # program, objects…, libraries by name
  local program=$1 object
  local -a parts=() with=()
  shift
  for object in "$@"; do
    case $object in
      cudart | cublas | cudnn) local -n text=link_$object; mapfile -t -O ${#with[@]} with <<<"${text%$'\n'}" ;;
      *) parts+=("$build/$object.o") ;;
    esac
  done
  rm -f "$build/$program"
  for object in "${parts[@]}"; do
    [ -e "$object" ] && continue
    report "build $program" failed "$(basename "$object" .o) does not compile: $(grep -m 1 -i error "$out/logs/compile_$(basename "$object" .o)" || echo "see $out/logs")"
    return
  done
  if "${CXX:-g++}" "${parts[@]}" "${with[@]}" -lpthread -ldl -lrt -o "$build/$program" >"$out/logs/link_$program" 2>&1; then report "build $program" passed ''
  else report "build $program" failed "$(tail -n 1 "$out/logs/link_$program")"; fi
}
for unit in "${test_units[@]}"; do link "test_$unit" "test_$unit" runner cudart; done
for bench in "${benches[@]}"; do
  case $bench in
    products) link bench_products bench_products cublas cudart ;;
    attention) link bench_attention bench_attention cudnn cudart ;;
    *) link "bench_$bench" "bench_$bench" cudart ;;
  esac
done
[ -n "$link_cublas" ] || report "bench_products" skipped "cuBLAS was not found; set CUDA_PATH"
[ -n "$link_cudnn" ] || report "bench_attention" skipped "cuDNN was not found; set CUDNN_PATH"
echo "built in $((SECONDS - begin)) s"

# --- run ---

# stage, seconds that it may take, command…
run() {
  local stage=$1 most=$2 remaining
  shift 2
  [ -x "$1" ] || [ "$1" = "${sanitizer:-}" ] || return 0
  remaining=$(left)
  if [ "$remaining" -lt 15 ]; then
    report "$stage" skipped "the time is up ($seconds s)"
    status=1
    return
  fi
  [ "$most" -lt "$remaining" ] || most=$remaining
  timeout --kill-after=5 "$((most + 5))" "${@//@SECONDS@/$((most - 5))}" >"$out/logs/$stage" 2>&1
  local code=$?
  case $code in
    0)
      if grep -q 'left out: the time is up' "$out/logs/$stage"; then
        report "$stage" skipped "in part: the time is up"
        status=1
      else
        report "$stage" passed "$(grep -E '^[0-9]+ passed' "$out/logs/$stage" | tail -n 1)"
      fi
      ;;
    124 | 137) report "$stage" failed "still running after $((most + 5)) s; see logs/$stage" ;;
    *) report "$stage" failed "exit code $code: $(grep -m 1 -E 'failed|WRONG|rror' "$out/logs/$stage" || tail -n 1 "$out/logs/$stage")" ;;
  esac
}
if [ "$build_only" = no ] && [ -n "$gpu" ]; then
  for unit in "${test_units[@]}"; do
    run "test_$unit" 60 "$build/test_$unit" --require-all --seconds @SECONDS@ --json "$out/tests.jsonl"
  done
  for bench in "${benches[@]}"; do
    run "bench_$bench" 90 "$build/bench_$bench" --seconds @SECONDS@ --json "$out/benches.jsonl"
    grep '^|' "$out/logs/bench_$bench" 2>/dev/null | sed "$([ -s "$out/benches.md" ] && echo 1,2d)" >>"$out/benches.md"
  done
  if [ "$sanitize" = yes ]; then
    sanitizer=$(command -v compute-sanitizer || ls "$cuda/bin/compute-sanitizer" 2>/dev/null || ls "$cuda/compute-sanitizer/compute-sanitizer" 2>/dev/null || true)
    for tool in memcheck racecheck; do
      own_options=()
      [ "$tool" = memcheck ] && own_options=(--report-api-errors no) # tests ask for what must be refused
      if [ -z "$sanitizer" ]; then report "$tool" skipped "compute-sanitizer was not found"; continue; fi
      for unit in backend quantize operations_0 gemm; do
        [ -x "$build/test_$unit" ] && run "${tool}_$unit" 60 "$sanitizer" --tool "$tool" "${own_options[@]}" --error-exitcode 3 "$build/test_$unit" --seconds 20
      done
    done
  else
    report sanitizers skipped "not asked for: --sanitize"
  fi
fi

{
  echo "# Assay on a GPU"
  echo
  sed 's/^/- /' "$out/environment.txt"
  echo
  if [ -s "$out/benches.md" ]; then cat "$out/benches.md"; echo; fi
  echo "| stage | verdict | |"
  echo "| --- | --- | --- |"
  cat "$out/stages.md"
} >"$out/results.md"
rm -f "$out/stages.md" "$out/benches.md"
echo
grep '^|' "$out/results.md"
echo "$((SECONDS - begin)) s; results are in $out"
if [ "$status" -eq 0 ] && [ "$build_only" = no ] && [ -z "$gpu" ]; then
  echo "CUDA finds no GPU that it can use ($(tail -n 1 "$out/logs/first_device")): everything was built, nothing was run" >&2
  exit 2
fi
exit "$status"
