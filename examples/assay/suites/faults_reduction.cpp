#include "assay/faults/operation_kernels.hpp"
#include "assay/faults/reduction_faults.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_reduction_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::Reduction>(corpus, host_worker());
}

}  // namespace assay_program
