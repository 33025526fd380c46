#include "assay/faults/convolution_faults.hpp"
#include "assay/faults/linear_faults.hpp"
#include "parts.hpp"

std::vector<diagnosis_bench::Part> diagnosis_bench::convolution_parts() {
  return parts_of<assay::Convolution, assay::Linear>();
}
