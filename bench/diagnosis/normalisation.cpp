#include "assay/validators/faults/normalisation_backward_faults.hpp"
#include "assay/validators/faults/normalisation_faults.hpp"
#include "assay/validators/faults/reduction_faults.hpp"
#include "parts.hpp"

std::vector<diagnosis_bench::Part> diagnosis_bench::normalisation_parts() {
  return parts_of<assay::Normalisation, assay::NormalisationBackward, assay::Reduction>();
}
