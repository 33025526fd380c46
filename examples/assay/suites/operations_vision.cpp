#include "assay/kernels/non_maximum_suppression/non_maximum_suppression.hpp"
#include "assay/kernels/pooling/pooling.hpp"
#include "assay/kernels/resize/resize.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"

#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/pooling.hpp"
#include "assay/adapters/onednn/resize.hpp"
#endif

namespace assay_program {

void add_vision_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  add_plugin_cases<assay::Pooling, assay::Resize, assay::NonMaximumSuppression>(suite, backend, options);
  if (backend == "host") {
    assay::add_operation_cases<assay::Pooling>(
        suite, host_worker(), assay::portable_operation_subject<assay::Pooling>(host_worker()), options);
    assay::add_operation_cases<assay::Resize>(suite, host_worker(),
                                              assay::portable_operation_subject<assay::Resize>(host_worker()), options);
    assay::add_operation_cases<assay::NonMaximumSuppression>(
        suite, host_worker(), assay::portable_operation_subject<assay::NonMaximumSuppression>(host_worker()), options);
  }
#if defined(ASSAY_HAS_ONEDNN)
  if (backend == "onednn") {
    assay::add_operation_cases<assay::Pooling>(suite, host_worker(),
                                               assay::operation_subject<assay::Pooling>(assay::OneDnn{}), options);
    assay::add_operation_cases<assay::Resize>(suite, host_worker(),
                                              assay::operation_subject<assay::Resize>(assay::OneDnn{}), options);
  }
#endif
}

}  // namespace assay_program
