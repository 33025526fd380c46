#if defined(ASSAY_HAS_OPENBLAS)

#include "assay/adapters/openblas/gemm.hpp"
#include "suites/entries.hpp"
#include "suites/host_gemm.hpp"

namespace assay_program {

std::string openblas_version() {
  return assay::OpenBlas::version();
}

void add_openblas(assay::Suite& suite, const SuiteOptions& options) {
  const assay::OpenBlas backend(1);  // its own pool of threads stays idle
  const auto add = [&]<class Op>() { add_host_gemm_cases<Op>(suite, assay::gemm_subject<Op>(backend), options); };
  add.operator()<GemmF64>();
  add.operator()<GemmF32>();
  add.operator()<GemmBf16ToF32>();
}

}  // namespace assay_program

#endif
