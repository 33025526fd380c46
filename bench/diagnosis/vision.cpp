#include "assay/faults/pooling_faults.hpp"
#include "assay/faults/resize_faults.hpp"
#include "parts.hpp"

std::vector<diagnosis_bench::Part> diagnosis_bench::vision_parts() {
  return parts_of<assay::Pooling, assay::Resize>();
}
