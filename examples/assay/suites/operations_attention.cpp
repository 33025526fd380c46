#include "assay/kernels/attention/attention.hpp"
#include "assay/kernels/attention_backward/attention_backward.hpp"
#include "assay/kernels/attention_merge/attention_merge.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"

namespace assay_program {

void add_attention_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  using namespace assay;
  add_plugin_cases<Attention, AttentionMerge, AttentionBackward>(suite, backend, options);
  if (backend != "host") return;
  add_operation_cases<Attention>(suite, host_worker(), portable_operation_subject<Attention>(host_worker()), options);
  add_operation_cases<AttentionMerge>(suite, host_worker(), portable_operation_subject<AttentionMerge>(host_worker()),
                                      options);
  add_operation_cases<AttentionBackward>(suite, host_worker(),
                                         portable_operation_subject<AttentionBackward>(host_worker()), options);
}

}  // namespace assay_program
