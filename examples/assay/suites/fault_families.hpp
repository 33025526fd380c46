#pragma once

#include "assay/faults/fault_corpus.hpp"
#include "suites/operation_families.hpp"

namespace assay_program {

/// Adds the right and the faulty kernels of a family of operations. One source a family, faults_<family>.cpp.
void add_attention_kernels(assay::FaultCorpus& corpus);
void add_attention_backward_kernels(assay::FaultCorpus& corpus);
void add_convolution_kernels(assay::FaultCorpus& corpus);
void add_elementwise_kernels(assay::FaultCorpus& corpus);
void add_gemm_kernels(assay::FaultCorpus& corpus);
void add_linear_kernels(assay::FaultCorpus& corpus);
void add_movement_kernels(assay::FaultCorpus& corpus);
void add_normalization_kernels(assay::FaultCorpus& corpus);
void add_optimizer_kernels(assay::FaultCorpus& corpus);
void add_quantize_kernels(assay::FaultCorpus& corpus);
void add_reduction_kernels(assay::FaultCorpus& corpus);
void add_rotary_embedding_kernels(assay::FaultCorpus& corpus);
void add_selection_kernels(assay::FaultCorpus& corpus);
void add_softmax_kernels(assay::FaultCorpus& corpus);
void add_vision_kernels(assay::FaultCorpus& corpus);

/// All families.
[[nodiscard]] assay::FaultCorpus all_fault_kernels();

}  // namespace assay_program
