#include "assay/faults/dropout_faults.hpp"
#include "assay/faults/operation_kernels.hpp"
#include "assay/faults/optimizer_faults.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_optimizer_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::Dropout>(corpus, host_worker());
  assay::add_operation_kernels<assay::Optimizer>(corpus, host_worker());
}

}  // namespace assay_program
