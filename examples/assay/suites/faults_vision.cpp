#include "assay/faults/non_maximum_suppression_faults.hpp"
#include "assay/faults/operation_kernels.hpp"
#include "assay/faults/pooling_faults.hpp"
#include "assay/faults/resize_faults.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_vision_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::NonMaximumSuppression>(corpus, host_worker());
  assay::add_operation_kernels<assay::Pooling>(corpus, host_worker());
  assay::add_operation_kernels<assay::Resize>(corpus, host_worker());
}

}  // namespace assay_program
