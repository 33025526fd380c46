#include "assay/faults/operation_kernels.hpp"
#include "assay/faults/sampling_faults.hpp"
#include "assay/faults/sort_faults.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_selection_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::Sampling>(corpus, host_worker());
  assay::add_operation_kernels<assay::Sort>(corpus, host_worker());
}

}  // namespace assay_program
