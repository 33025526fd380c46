#include "assay/faults/attention_faults.hpp"
#include "assay/faults/attention_merge_faults.hpp"
#include "assay/faults/operation_kernels.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_attention_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::Attention>(corpus, host_worker());
  assay::add_operation_kernels<assay::AttentionMerge>(corpus, host_worker());
}

}  // namespace assay_program
