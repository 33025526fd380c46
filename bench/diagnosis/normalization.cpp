#include "assay/validators/faults/normalization_backward_faults.hpp"
#include "assay/validators/faults/normalization_faults.hpp"
#include "assay/validators/faults/reduction_faults.hpp"
#include "parts.hpp"

std::vector<diagnosis_bench::Part> diagnosis_bench::normalization_parts() {
  return parts_of<assay::Normalization, assay::NormalisationBackward, assay::Reduction>();
}
