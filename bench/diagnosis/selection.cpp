#include "assay/faults/non_maximum_suppression_faults.hpp"
#include "assay/faults/sampling_faults.hpp"
#include "assay/faults/sort_faults.hpp"
#include "parts.hpp"

std::vector<diagnosis_bench::Part> diagnosis_bench::selection_parts() {
  return parts_of<assay::NonMaximumSuppression, assay::Sampling, assay::Sort>();
}
