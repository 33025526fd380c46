#pragma once

#include "assay/validators/quantize_shapes.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<QuantizeShape> default_quantize_shapes(const BlockScaling& scheme) {
  using enum QuantizeFillKind;
  std::vector<QuantizeFillKind> all;
  for (QuantizeFillKind kind : all_quantize_fills)
    if (fits(kind, scheme)) all.push_back(kind);
  const std::vector<QuantizeFillKind> everyday{normal}, tails{normal, small};
  std::vector<QuantizeShape> shapes;
  const auto shape = [&](Index rows, Index columns) {
    QuantizeProblem problem;
    problem.rows = rows;
    problem.columns = columns;
    problem.scheme = scheme;
    return problem;
  };
  shapes.push_back({shape(33, 200), all});
  shapes.push_back({shape(130, 140), tails});
  shapes.push_back({shape(1, 1), everyday});
  shapes.push_back({shape(3, 384), everyday});
  shapes.push_back({shape(260, 24), everyday});
  shapes.push_back({shape(0, 8), everyday});
  shapes.push_back({shape(8, 0), everyday});
  QuantizeProblem spaced = shape(37, 150);
  spaced.leading_dimension = 170;
  spaced.code_row_bytes = 163;
  spaced.scale_row_stride = 1;
  spaced.scale_column_stride = (scheme.scale_rows(spaced.rows) + 3) / 4 * 4;
  shapes.push_back({spaced, tails});
  if (scheme.scale.bits == 8 && scheme.block_rows == 1 && scheme.rule != ScaleRule::given) {
    for (const auto& [rows, columns] : {std::pair<Index, Index>{128, 128}, {130, 140}, {33, 72}}) {
      QuantizeProblem tiled = shape(rows, columns);
      tiled.scheme.order = ScaleOrder::tiles_128x4;
      shapes.push_back({tiled, tails});
    }
  }
  shapes.push_back({shape(4096, 4096), everyday, true});
  return shapes;
}

}  // namespace assay::inline v0
