#include "assay/kernels/convolution/convolution.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"
#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/convolution.hpp"
#endif
#if defined(ASSAY_HAS_EIGEN)
#include "assay/adapters/eigen/convolution.hpp"
#endif

namespace assay_program {

void add_convolution_family(assay::Suite& suite, std::string_view backend,
                            const assay::OperationSuiteOptions& options) {
  using assay::Convolution;
  add_plugin_cases<Convolution>(suite, backend, options);
  if (backend == "host")
    assay::add_operation_cases<Convolution>(suite, host_worker(),
                                            assay::portable_operation_subject<Convolution>(host_worker()), options);
#if defined(ASSAY_HAS_ONEDNN)
  if (backend == "onednn")
    assay::add_operation_cases<Convolution>(suite, host_worker(),
                                            assay::operation_subject<Convolution>(assay::OneDnn(1)), options);
#endif
#if defined(ASSAY_HAS_EIGEN)
  if (backend == "eigen")
    assay::add_operation_cases<Convolution>(suite, host_worker(),
                                            assay::operation_subject<Convolution>(assay::EigenLibrary(1)), options);
#endif
}

}  // namespace assay_program
