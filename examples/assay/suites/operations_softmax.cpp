#include "assay/kernels/softmax/softmax.hpp"
#include "suites/operation_families.hpp"

namespace assay_program {

void add_softmax_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  if (backend == "host") assay::add_operation_cases<assay::Softmax>(suite, host_worker(), assay::portable_operation_subject<assay::Softmax>(host_worker()), options);
}

}  // namespace assay_program
