#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/index.hpp"

namespace assay::inline v0 {

/// What is known of a tensor by its rows and columns: of the matrix rows × columns into which it is folded, row-major,
/// the last row perhaps short. Numbers that are not finite count as 0 here.
struct TensorSums {
  Index rows = 0;
  Index columns = 0;
  std::vector<double> row_sums;           ///< of the decoded elements
  std::vector<double> row_magnitudes;     ///< of their absolute values
  std::vector<double> column_sums;        ///< one a column
  std::vector<double> column_magnitudes;  ///< sums of magnitudes, one a column
  std::int64_t nans = 0;                  ///< elements that are NaN
  std::int64_t positive_infinities = 0;   ///< elements that are +∞
  std::int64_t negative_infinities = 0;   ///< elements that are −∞
};

/// The output of a kernel as a baseline keeps it: whole, or, of one that is too large, its digest, some of its elements
/// and its sums.
struct GoldenTensor {
  std::string format;                ///< of an element, as in ids
  std::vector<Index> extents;        ///< outermost first
  int code_bytes = 0;                ///< of an element, little-endian
  std::string digest;                ///< SHA-256 of all codes in row-major order, 64 hexadecimal digits
  std::vector<unsigned char> codes;  ///< of all elements, or of those at `sampled`
  std::vector<Index> sampled;        ///< positions, ascending; empty where all elements are kept
  TensorSums sums;                   ///< only where elements are sampled

  /// Of the whole tensor; 1 of a scalar.
  [[nodiscard]] Index elements() const {
    Index product = 1;
    for (const Index extent : extents) product *= extent;
    return product;
  }
  /// Of those whose codes are here.
  [[nodiscard]] std::size_t kept() const {
    return code_bytes == 0 ? 0 : codes.size() / static_cast<std::size_t>(code_bytes);
  }
  /// Whether all elements are kept.
  [[nodiscard]] bool whole() const { return sampled.empty(); }
  /// The code at that position among those that are kept.
  [[nodiscard]] std::uint64_t code(std::size_t position) const {
    std::uint64_t value = 0;
    for (int byte = code_bytes; byte-- > 0;)
      value = value << 8 | codes[position * static_cast<std::size_t>(code_bytes) + static_cast<std::size_t>(byte)];
    return value;
  }
};

}  // namespace assay::inline v0
