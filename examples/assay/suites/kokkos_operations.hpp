#pragma once

#include "suites/kokkos_worker.hpp"

namespace assay_program {

/// Adds the cases of Assay's own kernel of an operation on Kokkos. Units that the build writes have them.
template <class Op>
void add_on_kokkos(assay::Suite& suite, const assay::OperationSuiteOptions& options) {
  assay::add_operation_cases<Op>(suite, kokkos_worker(),
                                 assay::portable_operation_subject<Op>(assay::KokkosBackend<>()), options);
}

}  // namespace assay_program
