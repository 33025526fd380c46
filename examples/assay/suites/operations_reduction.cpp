#include "assay/kernels/reduction/reduction.hpp"
#include "suites/operation_families.hpp"

namespace assay_program {

void add_reduction_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  if (backend == "host") assay::add_operation_cases<assay::Reduction>(suite, host_worker(), assay::portable_operation_subject<assay::Reduction>(host_worker()), options);
}

}  // namespace assay_program
