#include "assay/kernels/gather/gather.hpp"
#include "assay/kernels/rearrangement/rearrangement.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"

#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/rearrangement.hpp"
#endif

namespace assay_program {

void add_movement_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  add_plugin_cases<assay::Rearrangement, assay::Gather>(suite, backend, options);
  if (backend == "host") {
    assay::add_operation_cases<assay::Rearrangement>(
        suite, host_worker(), assay::portable_operation_subject<assay::Rearrangement>(host_worker()), options);
    assay::add_operation_cases<assay::Gather>(suite, host_worker(),
                                              assay::portable_operation_subject<assay::Gather>(host_worker()), options);
  }
#if defined(ASSAY_HAS_ONEDNN)
  if (backend == "onednn")
    assay::add_operation_cases<assay::Rearrangement>(
        suite, host_worker(), assay::operation_subject<assay::Rearrangement>(assay::OneDnn{}), options);
#endif
}

}  // namespace assay_program
