#include "assay/validators/faults/quantise_kernels.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_quantise_kernels(assay::FaultCorpus& corpus) {
  assay::add_quantise_kernels(corpus, host_worker());
}

}  // namespace assay_program
