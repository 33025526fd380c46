#include "suites/fault_families.hpp"

namespace assay_program {

assay::FaultCorpus all_fault_kernels() {
  assay::FaultCorpus corpus;
  for (const auto add : {add_attention_kernels, add_attention_backward_kernels, add_convolution_kernels,
                         add_elementwise_kernels, add_gemm_kernels, add_linear_kernels, add_movement_kernels,
                         add_normalization_kernels, add_optimizer_kernels, add_quantize_kernels, add_reduction_kernels,
                         add_rotary_embedding_kernels, add_selection_kernels, add_softmax_kernels, add_vision_kernels})
    add(corpus);
  return corpus;
}

}  // namespace assay_program
