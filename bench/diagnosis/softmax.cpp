#include "assay/faults/cross_entropy_faults.hpp"
#include "assay/faults/softmax_backward_faults.hpp"
#include "assay/faults/softmax_faults.hpp"
#include "parts.hpp"

std::vector<diagnosis_bench::Part> diagnosis_bench::softmax_parts() {
  return parts_of<assay::CrossEntropy, assay::Softmax, assay::SoftmaxBackward>();
}
