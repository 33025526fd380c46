#pragma once

#include <utility>
#include <vector>

#include "assay/kernels/quantize/fill.hpp"
#include "assay/kernels/quantize/problem.hpp"

namespace assay::inline v0 {

/// A problem and the patterns of data that it is tried on; dequantizers bring patterns of their own.
struct QuantizeShape {
  QuantizeProblem problem;
  std::vector<QuantizeFillKind> fills;
  bool large = false;  ///< runs only when asked for
};

/// The default suite's problems for a scheme: blocks that are partly filled in both directions, tall and wide matrices
/// (a table sized by the wrong block shows), rows beyond a multiple of 128, one element, nothing, spaced rows, scales
/// column by column with aligned columns, and tables in tiles where the scheme can have them.
[[nodiscard]] std::vector<QuantizeShape> default_quantize_shapes(const BlockScaling& scheme);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/quantize_shapes.ipp"
#endif
