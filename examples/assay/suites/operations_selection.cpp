#include "assay/kernels/sampling/sampling.hpp"
#include "assay/kernels/sort/sort.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"

namespace assay_program {

void add_selection_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  add_plugin_cases<assay::Sort, assay::Sampling>(suite, backend, options);
  if (backend != "host") return;
  assay::add_operation_cases<assay::Sort>(suite, host_worker(),
                                          assay::portable_operation_subject<assay::Sort>(host_worker()), options);
  assay::add_operation_cases<assay::Sampling>(
      suite, host_worker(), assay::portable_operation_subject<assay::Sampling>(host_worker()), options);
}

}  // namespace assay_program
