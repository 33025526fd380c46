#include "assay/faults/attention_backward_faults.hpp"
#include "assay/faults/operation_kernels.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_attention_backward_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::AttentionBackward>(corpus, host_worker());
}

}  // namespace assay_program
