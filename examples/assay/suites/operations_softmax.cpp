#include "assay/kernels/cross_entropy/cross_entropy.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/kernels/softmax_backward/softmax_backward.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"

#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/softmax.hpp"
#endif

namespace assay_program {

/// Softmax and log-softmax, their gradients, and cross entropy.
void add_softmax_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  using assay::CrossEntropy, assay::Softmax, assay::SoftmaxBackward;
  add_plugin_cases<Softmax, SoftmaxBackward, CrossEntropy>(suite, backend, options);
  if (backend == "host") {
    assay::add_operation_cases<Softmax>(suite, host_worker(), assay::portable_operation_subject<Softmax>(host_worker()),
                                        options);
    assay::add_operation_cases<SoftmaxBackward>(
        suite, host_worker(), assay::portable_operation_subject<SoftmaxBackward>(host_worker()), options);
    assay::add_operation_cases<CrossEntropy>(suite, host_worker(),
                                             assay::portable_operation_subject<CrossEntropy>(host_worker()), options);
  }
#if defined(ASSAY_HAS_ONEDNN)
  if (backend == "onednn") {
    assay::add_operation_cases<Softmax>(suite, host_worker(), assay::operation_subject<Softmax>(assay::OneDnn()),
                                        options);
    assay::add_operation_cases<SoftmaxBackward>(suite, host_worker(),
                                                assay::operation_subject<SoftmaxBackward>(assay::OneDnn()), options);
  }
#endif
}

}  // namespace assay_program
