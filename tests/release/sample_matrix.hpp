#pragma once

#include <string>

#include "assay/release/version_matrix.hpp"

namespace assay::testing {

/// Three axes, and a corner that cannot be: 3 × 3 × 2 without (13.0 on 450 and 550) and without (jax on 11.8).
inline VersionMatrix sample_matrix() {
  VersionMatrix matrix;
  matrix.title = "drivers and toolkits";
  matrix.axes = {{"driver", {"450.80.02", "550.54", "580.1"}},
                 {"cuda", {"11.8", "12.6", "13.0"}},
                 {"framework", {"pytorch", "jax"}}};
  matrix.rules = {parse_matrix_rule("cuda >= 13 requires driver >= 580").value(),
                  parse_matrix_rule("cuda < 12 excludes framework == jax").value()};
  return matrix;
}

/// Axes a0, a1, … of values 0, 1, …
inline VersionMatrix grid_matrix(std::size_t axes, std::size_t values) {
  VersionMatrix matrix;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    matrix.axes.push_back({"a" + std::to_string(axis), {}});
    for (std::size_t value = 0; value < values; ++value) matrix.axes.back().values.push_back(std::to_string(value));
  }
  return matrix;
}

}  // namespace assay::testing
