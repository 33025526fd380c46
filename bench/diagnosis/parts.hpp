#pragma once

#include <string>
#include <vector>

#include "assay/diagnosis/name_faults.hpp"

/// bench_diagnosis: its operations, a unit for a few of them each.
namespace diagnosis_bench {

struct Part {
  std::string operation;
  std::vector<assay::NamedFault> (*name)(const assay::NameFaultsOptions&);
};

template <class... Ops>
[[nodiscard]] std::vector<Part> parts_of() {
  return {Part{Ops::name(), &assay::name_faults<Ops>}...};
}

[[nodiscard]] std::vector<Part> attention_parts();
[[nodiscard]] std::vector<Part> convolution_parts();
[[nodiscard]] std::vector<Part> elementwise_parts();
[[nodiscard]] std::vector<Part> gemm_parts();
[[nodiscard]] std::vector<Part> movement_parts();
[[nodiscard]] std::vector<Part> normalization_parts();
[[nodiscard]] std::vector<Part> selection_parts();
[[nodiscard]] std::vector<Part> softmax_parts();
[[nodiscard]] std::vector<Part> vision_parts();

}  // namespace diagnosis_bench
