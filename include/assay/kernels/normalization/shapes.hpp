#pragma once

#include <vector>

#include "assay/kernels/normalization/problem.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// The default suite of normalizations: small and prime extents, edges, shapes of real models.
[[nodiscard]] std::vector<OperationShape<NormalizationProblem>> normalization_shapes(const ElementFormat& format);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/normalization/shapes.ipp"
#endif
