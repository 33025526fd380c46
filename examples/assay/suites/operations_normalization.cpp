#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/normalization_backward/normalization_backward.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"

#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/normalization.hpp"
#endif

namespace assay_program {

/// LayerNorm, RMSNorm, GroupNorm and BatchNorm by given statistics, and their gradients.
void add_normalization_family(assay::Suite& suite, std::string_view backend,
                              const assay::OperationSuiteOptions& options) {
  using assay::Normalization, assay::NormalizationBackward;
  add_plugin_cases<Normalization, NormalizationBackward>(suite, backend, options);
  if (backend == "host") {
    assay::add_operation_cases<Normalization>(suite, host_worker(),
                                              assay::portable_operation_subject<Normalization>(host_worker()), options);
    assay::add_operation_cases<NormalizationBackward>(
        suite, host_worker(), assay::portable_operation_subject<NormalizationBackward>(host_worker()), options);
  }
#if defined(ASSAY_HAS_ONEDNN)
  if (backend == "onednn") {
    assay::add_operation_cases<Normalization>(suite, host_worker(),
                                              assay::operation_subject<Normalization>(assay::OneDnn()), options);
    assay::add_operation_cases<NormalizationBackward>(
        suite, host_worker(), assay::operation_subject<NormalizationBackward>(assay::OneDnn()), options);
  }
#endif
}

}  // namespace assay_program
