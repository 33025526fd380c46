#include "assay/faults/linear_faults.hpp"
#include "assay/faults/operation_kernels.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_linear_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::Linear>(corpus, host_worker());
}

}  // namespace assay_program
