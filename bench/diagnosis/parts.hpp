#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/diagnosis/name_faults.hpp"
#include "assay/kernels/all_operations.hpp"

/// bench_diagnosis: its operations, in units that the build writes, each with a share of the list.
namespace diagnosis_bench {

struct Part {
  std::string operation;
  std::vector<assay::NamedFault> (*name)(const assay::NameFaultsOptions&);
};

inline constexpr std::size_t unit_count = ASSAY_DIAGNOSIS_UNITS;

/// Of the operations whose place in the list is `Unit` modulo `unit_count`.
template <std::size_t Unit>
[[nodiscard]] std::vector<Part> parts_of_unit();

[[nodiscard]] std::vector<Part> gemm_parts();

template <std::size_t... Units>
[[nodiscard]] std::vector<std::vector<Part>> parts_of_units(std::index_sequence<Units...>) {
  return {parts_of_unit<Units>()..., gemm_parts()};
}

}  // namespace diagnosis_bench
