#include "assay/faults/normalization_backward_faults.hpp"
#include "assay/faults/normalization_faults.hpp"
#include "assay/faults/operation_kernels.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_normalization_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::Normalization>(corpus, host_worker());
  assay::add_operation_kernels<assay::NormalizationBackward>(corpus, host_worker());
}

}  // namespace assay_program
