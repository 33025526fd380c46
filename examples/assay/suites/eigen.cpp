#if defined(ASSAY_HAS_EIGEN)

#include "assay/adapters/eigen/gemm.hpp"
#include "suites/entries.hpp"
#include "suites/host_gemm.hpp"

namespace assay_program {

std::string eigen_version() {
  return assay::EigenLibrary::version();
}

void add_eigen(assay::Suite& suite, const SuiteOptions& options) {
  const assay::EigenLibrary backend(1);  // its own pool of threads stays idle
  const auto add = [&]<class Op>() { add_host_gemm_cases<Op>(suite, assay::gemm_subject<Op>(backend), options); };
  add.operator()<GemmF64>();
  add.operator()<GemmF32>();
  add.operator()<GemmF16InF16>();
  add.operator()<GemmBf16InBf16>();
}

}  // namespace assay_program

#endif
