#pragma once

#include "assay/faults/fault_corpus.hpp"
#include "suites/operation_families.hpp"

namespace assay_program {

void add_gemm_kernels(assay::FaultCorpus& corpus);
void add_quantize_kernels(assay::FaultCorpus& corpus);
/// Adds the right and the faulty kernels of one of `assay::AllOperations`; see `add_cases_of`.
template <class Op>
void add_kernels_of(assay::FaultCorpus& corpus);

/// Those of all operations.
[[nodiscard]] assay::FaultCorpus all_fault_kernels();

}  // namespace assay_program
