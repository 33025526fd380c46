#include "assay/kernels/dropout/dropout.hpp"
#include "assay/kernels/optimizer/optimizer.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"

namespace assay_program {

/// Optimizer steps, and dropout, which training has as well.
void add_optimizer_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  add_plugin_cases<assay::Optimizer, assay::Dropout>(suite, backend, options);
  if (backend != "host") return;
  assay::add_operation_cases<assay::Optimizer>(
      suite, host_worker(), assay::portable_operation_subject<assay::Optimizer>(host_worker()), options);
  assay::add_operation_cases<assay::Dropout>(suite, host_worker(),
                                             assay::portable_operation_subject<assay::Dropout>(host_worker()), options);
}

}  // namespace assay_program
