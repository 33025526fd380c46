#include "assay/faults/normalization_backward_faults.hpp"
#include "assay/faults/normalization_faults.hpp"
#include "assay/faults/reduction_faults.hpp"
#include "parts.hpp"

std::vector<diagnosis_bench::Part> diagnosis_bench::normalization_parts() {
  return parts_of<assay::Normalization, assay::NormalizationBackward, assay::Reduction>();
}
