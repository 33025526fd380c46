#include "assay/kernels/reduction/reduction.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"

#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/reduction.hpp"
#endif
#if defined(ASSAY_HAS_EIGEN)
#include "assay/adapters/eigen/reduction.hpp"
#endif

namespace assay_program {

void add_reduction_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  using assay::Reduction;
  add_plugin_cases<Reduction>(suite, backend, options);
  if (backend == "host")
    assay::add_operation_cases<Reduction>(suite, host_worker(),
                                          assay::portable_operation_subject<Reduction>(host_worker()), options);
#if defined(ASSAY_HAS_ONEDNN)
  if (backend == "onednn")
    assay::add_operation_cases<Reduction>(suite, host_worker(), assay::operation_subject<Reduction>(assay::OneDnn()),
                                          options);
#endif
#if defined(ASSAY_HAS_EIGEN)
  if (backend == "eigen")
    assay::add_operation_cases<Reduction>(suite, host_worker(),
                                          assay::operation_subject<Reduction>(assay::EigenLibrary()), options);
#endif
}

}  // namespace assay_program
