#pragma once

#include <vector>

#include "assay/kernels/normalisation/problem.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// The default suite of normalisations: small and prime extents, edges, shapes of real models.
[[nodiscard]] std::vector<OperationShape<NormalisationProblem>> normalisation_shapes(const ElementFormat& format);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/normalisation/shapes.ipp"
#endif
