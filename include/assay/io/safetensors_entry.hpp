#pragma once

#include <string>
#include <vector>

#include "assay/core/index.hpp"
#include "assay/io/safetensors_type.hpp"

namespace assay::inline v0 {

/// What the header of a safetensors file says of a tensor; checked when the file was opened.
struct SafetensorsEntry {
  std::string name;  ///< unique in its file
  SafetensorsType type = SafetensorsType::f32;
  std::vector<Index> shape;  ///< row-major, the last dimension the fastest; empty for a scalar
  Index begin = 0;           ///< of its bytes, counted from the first byte of the data
  Index end = 0;             ///< one past its last byte

  /// Bytes of the tensor.
  [[nodiscard]] Index byte_count() const { return end - begin; }
  /// The product of the extents.
  [[nodiscard]] Index element_count() const {
    Index count = 1;
    for (const Index extent : shape) count *= extent;
    return count;
  }
  /// Real numbers: one an element, two where elements are complex.
  [[nodiscard]] Index value_count() const { return element_count() * reals_per_element(type); }

  friend bool operator==(const SafetensorsEntry&, const SafetensorsEntry&) = default;
};

}  // namespace assay::inline v0
