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
  if (backend == "onednn") return assay::operation_subject<Elementwise>(assay::OneDnn());
#endif
#if defined(ASSAY_HAS_EIGEN)
  if (backend == "eigen") return assay::operation_subject<Elementwise>(assay::EigenLibrary());
#endif
  if (const auto plugin = plugin_named(backend)) return assay::plugin_operation_subject<Elementwise>(*plugin);
  return std::nullopt;
}

void add_elementwise_family(assay::Suite& suite, std::string_view backend,
                            const assay::OperationSuiteOptions& options) {
  if (plugin_named(backend)) return add_plugin_cases<assay::Elementwise>(suite, backend, options);
  if (auto kernels = elementwise_kernels(backend))
    assay::add_operation_cases<assay::Elementwise>(suite, host_worker(), *std::move(kernels), options);
}

}  // namespace assay_program
