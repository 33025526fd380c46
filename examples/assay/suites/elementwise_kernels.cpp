#include "suites/elementwise_kernels.hpp"

#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"
#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/elementwise.hpp"
#endif
#if defined(ASSAY_HAS_EIGEN)
#include "assay/adapters/eigen/elementwise.hpp"
#endif

namespace assay_program {

std::optional<assay::OperationSubject<assay::Elementwise>> elementwise_kernels(std::string_view backend) {
  using assay::Elementwise;
  if (backend == "host") return assay::portable_operation_subject<Elementwise>(host_worker());
#if defined(ASSAY_HAS_ONEDNN)
  if (backend == "onednn") return assay::operation_subject<Elementwise>(assay::OneDnn(1));
#endif
#if defined(ASSAY_HAS_EIGEN)
  if (backend == "eigen") return assay::operation_subject<Elementwise>(assay::EigenLibrary(1));
#endif
  if (const auto plugin = plugin_named(backend)) return assay::plugin_operation_subject<Elementwise>(*plugin);
  return std::nullopt;
}

}  // namespace assay_program
