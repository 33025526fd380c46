#include "assay/kernels/attention/attention.hpp"
#include "suites/operation_families.hpp"

namespace assay_program {

void add_attention_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  if (backend == "host") assay::add_operation_cases<assay::Attention>(suite, host_worker(), assay::portable_operation_subject<assay::Attention>(host_worker()), options);
}

}  // namespace assay_program
