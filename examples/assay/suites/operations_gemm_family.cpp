#include "assay/kernels/linear/linear.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"

#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/linear.hpp"
#endif

namespace assay_program {

/// 8-bit integer, fused, grouped, block-scaled, weight-only and sparse products; the plain ones are the GEMM of the
/// suites of libraries.
void add_gemm_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  using assay::Linear;
  add_plugin_cases<Linear>(suite, backend, options);
  if (backend == "host")
    assay::add_operation_cases<Linear>(suite, host_worker(), assay::portable_operation_subject<Linear>(host_worker()),
                                       options);
#if defined(ASSAY_HAS_ONEDNN)
  if (backend == "onednn")
    assay::add_operation_cases<Linear>(suite, host_worker(), assay::operation_subject<Linear>(assay::OneDnn()),
                                       options);
#endif
}

}  // namespace assay_program
