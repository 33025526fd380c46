#if defined(ASSAY_HAS_KOKKOS)

#include "assay/kernels/attention/attention.hpp"
#include "assay/kernels/attention_backward/attention_backward.hpp"
#include "assay/kernels/attention_merge/attention_merge.hpp"
#include "suites/kokkos_operations.hpp"

namespace assay_program {

void add_kokkos_attention(assay::Suite& suite, const assay::OperationSuiteOptions& options) {
  add_on_kokkos<assay::Attention, assay::AttentionMerge, assay::AttentionBackward>(suite, options);
}

}  // namespace assay_program

#endif
