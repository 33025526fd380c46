#include "assay/kernels/elementwise/elementwise.hpp"
#include "suites/operation_families.hpp"

#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/elementwise.hpp"
#endif
#if defined(ASSAY_HAS_EIGEN)
#include "assay/adapters/eigen/elementwise.hpp"
#endif

namespace assay_program {

void add_elementwise_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  using assay::Elementwise;
  if (backend == "host") assay::add_operation_cases<Elementwise>(suite, host_worker(), assay::portable_operation_subject<Elementwise>(host_worker()), options);
#if defined(ASSAY_HAS_ONEDNN)
  if (backend == "onednn") assay::add_operation_cases<Elementwise>(suite, host_worker(), assay::operation_subject<Elementwise>(assay::OneDnn()), options);
#endif
#if defined(ASSAY_HAS_EIGEN)
  if (backend == "eigen") assay::add_operation_cases<Elementwise>(suite, host_worker(), assay::operation_subject<Elementwise>(assay::EigenLibrary()), options);
#endif
}

}  // namespace assay_program
