#include "assay/validators/faults/normalisation_backward_faults.hpp"
#include "assay/validators/faults/normalisation_faults.hpp"
#include "assay/validators/faults/operation_kernels.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_normalisation_kernels(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<assay::Normalisation>(corpus, host_worker());
  assay::add_operation_kernels<assay::NormalisationBackward>(corpus, host_worker());
}

}  // namespace assay_program
