#include "assay/faults/gather_faults.hpp"
#include "assay/faults/operation_kernels.hpp"
#include "assay/faults/rearrangement_faults.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_movement_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::Gather>(corpus, host_worker());
  assay::add_operation_kernels<assay::Rearrangement>(corpus, host_worker());
}

}  // namespace assay_program
