#pragma once

#include <string_view>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/suite/case.hpp"
#include "assay/validators/operation_suite.hpp"

namespace assay_program {

/// The backend that gives out memory and computes references for all libraries of the host: one pool of threads.
[[nodiscard]] assay::Host& host_worker();

/// Adds the cases of a family of operations for the kernels that the backend of that name has of them, if any. One
/// source a family, operations_<family>.cpp.
using AddFamily = void (*)(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);

void add_attention_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);
void add_convolution_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);
void add_cuda_family(assay::Suite& suite, std::string_view backend,
                     const assay::OperationSuiteOptions& options);  // where CUDA_ARCH names architectures
void add_elementwise_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);
void add_gemm_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);
void add_kokkos_family(assay::Suite& suite, std::string_view backend,
                       const assay::OperationSuiteOptions& options);  // where Kokkos is compiled in
void add_movement_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);
void add_normalization_family(assay::Suite& suite, std::string_view backend,
                              const assay::OperationSuiteOptions& options);
void add_optimizer_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);
void add_reduction_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);
void add_rotary_embedding_family(assay::Suite& suite, std::string_view backend,
                                 const assay::OperationSuiteOptions& options);
void add_selection_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);
void add_softmax_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);
void add_vision_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);

/// Adds what holds between launches of the kernels that the backend of that name has of operations other than GEMM, if
/// any.
void add_operation_relations(assay::Suite& suite, std::string_view backend);

/// All families.
[[nodiscard]] const std::vector<AddFamily>& operation_families();

}  // namespace assay_program
