#include "assay/faults/elementwise_faults.hpp"
#include "assay/faults/operation_kernels.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_elementwise_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::Elementwise>(corpus, host_worker());
}

}  // namespace assay_program
