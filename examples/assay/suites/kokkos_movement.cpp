#if defined(ASSAY_HAS_KOKKOS)

#include "assay/kernels/gather/gather.hpp"
#include "assay/kernels/non_maximum_suppression/non_maximum_suppression.hpp"
#include "assay/kernels/pooling/pooling.hpp"
#include "assay/kernels/rearrangement/rearrangement.hpp"
#include "assay/kernels/resize/resize.hpp"
#include "assay/kernels/sampling/sampling.hpp"
#include "assay/kernels/sort/sort.hpp"
#include "suites/kokkos_operations.hpp"

namespace assay_program {

void add_kokkos_movement(assay::Suite& suite, const assay::OperationSuiteOptions& options) {
  add_on_kokkos<assay::Rearrangement, assay::Gather, assay::Pooling, assay::Resize, assay::NonMaximumSuppression,
                assay::Sort, assay::Sampling>(suite, options);
}

}  // namespace assay_program

#endif
