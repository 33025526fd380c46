#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/suite/case.hpp"
#include "assay/validators/operation_suite.hpp"
#include "assay/validators/suite_coverage.hpp"

namespace assay_program {

/// The backend that gives out memory and computes references for all libraries of the host: one pool of threads.
[[nodiscard]] assay::Host& host_worker();

/// Adds cases of operations for the kernels that the backend of that name has of them, if any.
using AddFamily = void (*)(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);

/// Those of one of `assay::AllOperations`. Units that the build writes have them, from operation_cases.hpp.
template <class Op>
void add_cases_of(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options);

void add_kokkos_family(assay::Suite& suite, std::string_view backend,
                       const assay::OperationSuiteOptions& options);  // where Kokkos is compiled in
void add_cuda_family(assay::Suite& suite, std::string_view backend,
                     const assay::OperationSuiteOptions& options);  // where CUDA_ARCH names architectures

/// Adds what holds between launches of the kernels that the backend of that name has of operations other than GEMM, if
/// any.
void add_operation_relations(assay::Suite& suite, std::string_view backend);

/// What the default suites of operations of those names (or globs; none: all) reach, by family.
[[nodiscard]] std::map<std::string, assay::SuiteCoverage> operation_coverage(
    const std::vector<std::string>& operations);

/// All of them.
[[nodiscard]] const std::vector<AddFamily>& operation_families();

}  // namespace assay_program
