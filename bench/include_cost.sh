#!/usr/bin/env bash
# What including Assay costs a compiler, beside Kokkos and Eigen: medians of interleaved compilations, as Markdown.
#   bench/include_cost.sh [rounds] [compiler]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rounds=${1:-5}
compiler=${2:-g++}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
includes=(-Iinclude)
for place in /usr/include/trilinos /usr/include/kokkos /usr/include/eigen3; do [ -d "$place" ] && includes+=(-isystem "$place"); done

names=(empty assay/assay.hpp assay/faults.hpp assay/compare/compare.hpp assay/validators/gemm_suite.hpp assay/kernels/softmax/softmax.hpp Kokkos_Core.hpp Eigen/Dense)
for i in "${!names[@]}"; do
  { [ "${names[$i]}" = empty ] || echo "#include <${names[$i]}>"; echo "int unit() { return 0; }"; } >"$folder/$i.cpp"
done
for round in $(seq "$rounds"); do
  for i in "${!names[@]}"; do
    begin=$(date +%s%N)
    "$compiler" -std=c++20 -O2 -fopenmp -w "${includes[@]}" -c "$folder/$i.cpp" -o "$folder/$i.o" 2>"$folder/$i.log" || { echo failed >"$folder/$i.failed"; continue; }
    echo $((($(date +%s%N) - begin) / 1000000)) >>"$folder/$i.ms"
  done
done
echo "$("$compiler" --version | head -1), -O2, medians of $rounds compilations of one unit"
echo
echo "| included | compile time, ms | object, bytes |"
echo "|---|---|---|"
for i in "${!names[@]}"; do
  if [ -e "$folder/$i.failed" ]; then
    echo "| ${names[$i]} | not here | |"
  else
    echo "| ${names[$i]} | $(sort -n "$folder/$i.ms" | sed -n "$((rounds / 2 + 1))p") | $(stat -c %s "$folder/$i.o") |"
  fi
done
