#if defined(ASSAY_HAS_ONEDNN)

#include "assay/adapters/onednn/gemm.hpp"
#include "suites/entries.hpp"
#include "suites/host_gemm.hpp"

namespace assay_program {

std::string onednn_version() {
  return assay::OneDnn::version();
}

void add_onednn(assay::Suite& suite, const SuiteOptions& options) {
  const assay::OneDnn backend(1);  // its own pool of threads stays idle
  const auto add = [&]<class Op>() { add_host_gemm_cases<Op>(suite, assay::gemm_subject<Op>(backend), options); };
  add.operator()<GemmF32>();
  add.operator()<GemmF16ToF32>();
  add.operator()<GemmF16>();
  add.operator()<GemmBf16ToF32>();
  add.operator()<GemmBf16>();
}

}  // namespace assay_program

#endif
