#pragma once

#include "assay/backends/kokkos.hpp"
#include "suites/operation_families.hpp"

// Comparison on the host's execution space is compiled once for all operations, in kokkos_operations.cpp.
namespace assay_program {
using KokkosOnHost = assay::KokkosBackend<Kokkos::DefaultHostExecutionSpace>;
}
extern template struct assay::OperandComparison<assay_program::KokkosOnHost>;

namespace assay_program {

/// Adds the cases of Assay's own kernels of these operations on Kokkos, whose memory, fills, references and comparisons are Kokkos's, too.
template <class... Ops>
void add_on_kokkos(assay::Suite& suite, const assay::OperationSuiteOptions& options) {
  const assay::KokkosBackend<> backend;
  (assay::add_operation_cases<Ops>(suite, backend, assay::portable_operation_subject<Ops>(backend), options), ...);
}

// Parts of the operations, one source each to keep compilation short.
void add_kokkos_rows(assay::Suite& suite, const assay::OperationSuiteOptions& options);
void add_kokkos_elements(assay::Suite& suite, const assay::OperationSuiteOptions& options);
void add_kokkos_movement(assay::Suite& suite, const assay::OperationSuiteOptions& options);
void add_kokkos_products(assay::Suite& suite, const assay::OperationSuiteOptions& options);
void add_kokkos_attention(assay::Suite& suite, const assay::OperationSuiteOptions& options);

}  // namespace assay_program
