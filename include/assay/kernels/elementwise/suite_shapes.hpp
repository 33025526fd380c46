#pragma once

#include <initializer_list>
#include <vector>

#include "assay/formats/small_formats.hpp"
#include "assay/kernels/elementwise/problem.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// The default suite of elementwise operations for a storage format.
[[nodiscard]] std::vector<OperationShape<ElementwiseProblem>> elementwise_shapes(const ElementFormat& format);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/elementwise/suite_shapes.ipp"
#endif
