#include "assay/faults/operation_kernels.hpp"
#include "assay/faults/rotary_embedding_faults.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_rotary_embedding_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::RotaryEmbedding>(corpus, host_worker());
}

}  // namespace assay_program
