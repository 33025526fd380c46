#include "assay/faults/dropout_faults.hpp"
#include "assay/faults/elementwise_faults.hpp"
#include "assay/faults/optimizer_faults.hpp"
#include "parts.hpp"

std::vector<diagnosis_bench::Part> diagnosis_bench::elementwise_parts() {
  return parts_of<assay::Dropout, assay::Elementwise, assay::Optimizer>();
}
