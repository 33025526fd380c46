#include "assay/faults/cross_entropy_faults.hpp"
#include "assay/faults/operation_kernels.hpp"
#include "assay/faults/softmax_backward_faults.hpp"
#include "assay/faults/softmax_faults.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_softmax_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::CrossEntropy>(corpus, host_worker());
  assay::add_operation_kernels<assay::Softmax>(corpus, host_worker());
  assay::add_operation_kernels<assay::SoftmaxBackward>(corpus, host_worker());
}

}  // namespace assay_program
