#include "suites/operation_families.hpp"

namespace assay_program {

const std::vector<AddFamily>& operation_families() {
  static const std::vector<AddFamily> all {
    add_attention_family, add_convolution_family, add_elementwise_family, add_gemm_family, add_movement_family,
        add_normalization_family, add_optimizer_family, add_reduction_family, add_rotary_embedding_family,
        add_selection_family, add_softmax_family, add_vision_family,
#if defined(ASSAY_HAS_KOKKOS)
        add_kokkos_family,
#endif
#if defined(ASSAY_HAS_CUDA_DEVICES)
        add_cuda_family,
#endif
  };
  return all;
}

}  // namespace assay_program
