#include "suites/fault_families.hpp"

#include "assay/kernels/all_operations.hpp"

namespace assay_program {

namespace {

template <class... Ops>
void add_kernels(assay::FaultCorpus& corpus, assay::Operations<Ops...>) {
  (add_kernels_of<Ops>(corpus), ...);
}

}  // namespace

assay::FaultCorpus all_fault_kernels() {
  assay::FaultCorpus corpus;
  add_gemm_kernels(corpus);
  add_quantize_kernels(corpus);
  add_kernels(corpus, assay::AllOperations());
  return corpus;
}

}  // namespace assay_program
