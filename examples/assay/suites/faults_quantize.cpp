#include "assay/faults/quantize_kernels.hpp"
#include "suites/fault_families.hpp"

namespace assay_program {

void add_quantize_kernels(assay::FaultCorpus& corpus) {
  assay::add_quantize_kernels(corpus, host_worker());
}

}  // namespace assay_program
