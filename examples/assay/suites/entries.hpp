#pragma once

#include <memory>
#include <string>

#include "suites/library.hpp"

namespace assay_program {

std::string host_version();
void add_host(assay::Suite& suite, const SuiteOptions& options);

std::string kokkos_version();
std::shared_ptr<void> start_kokkos();
void add_kokkos(assay::Suite& suite, const SuiteOptions& options);

// Where CUDA_ARCH names architectures.
std::string cuda_version();
std::shared_ptr<void> start_cuda();
void add_cuda(assay::Suite& suite, const SuiteOptions& options);
void add_cublas(assay::Suite& suite, const SuiteOptions& options);
void add_cublaslt(assay::Suite& suite, const SuiteOptions& options);

std::string openblas_version();
void add_openblas(assay::Suite& suite, const SuiteOptions& options);

std::string onednn_version();
void add_onednn(assay::Suite& suite, const SuiteOptions& options);

std::string eigen_version();
void add_eigen(assay::Suite& suite, const SuiteOptions& options);

}  // namespace assay_program
