#include "assay/faults/gemm_kernels.hpp"
#include "suites/fault_families.hpp"
#include "suites/host_gemm.hpp"

namespace assay_program {

void add_gemm_kernels(assay::FaultCorpus& corpus) {
  assay::add_gemm_kernels<GemmBf16>(corpus, host_worker());
  assay::add_gemm_kernels<GemmF16>(corpus, host_worker());
  assay::add_gemm_kernels<GemmF32>(corpus, host_worker());
}

}  // namespace assay_program
