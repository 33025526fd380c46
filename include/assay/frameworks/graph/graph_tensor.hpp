#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/graph/tensor_type.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// A dense row-major tensor with its data. Elements are little-endian; those of 4 and 2 bits are packed, the first in
/// the low bits, the last byte filled up with zeros.
struct GraphTensor {
  std::string name;                       ///< by which nodes refer to it
  TensorType type = TensorType::float32;  ///< of the elements
  std::vector<std::int64_t> extents;      ///< outermost first; empty: a scalar
  std::string bytes;                      ///< of all types but strings
  std::vector<std::string> strings;       ///< elements of type string

  /// Number of elements; −1 where an extent is negative or they are 2^63 or more.
  [[nodiscard]] std::int64_t size() const noexcept;
  /// What `bytes` must hold; −1 as above, and for types without a size. O(rank).
  [[nodiscard]] std::int64_t byte_size() const noexcept;
};

/// "float32[2x3]".
[[nodiscard]] std::string shape_text(TensorType type, const std::vector<std::int64_t>& extents);

/// A tensor of these values, rounded to the type. Preconditions: the type has an element format; as many values as
/// elements.
[[nodiscard]] GraphTensor tensor_of_values(std::string name, TensorType type, std::vector<std::int64_t> extents,
                                           const std::vector<double>& values);

/// The value of an element; exact but for 64-bit integers. Truth values are 0 and 1. Precondition: there is such an
/// element, and it is a real number.
[[nodiscard]] double value_at(const GraphTensor& tensor, std::int64_t element);

/// The code of an element, in the lowest bits. Preconditions: there is such an element, and its type has a format.
[[nodiscard]] std::uint64_t code_at(const GraphTensor& tensor, std::int64_t element);

/// The elements of an operand in row-major order, whatever its strides, packed as in `GraphTensor::bytes`.
[[nodiscard]] std::string packed_bytes(const Operand& operand);

/// Writes packed elements into an operand, and nothing beside them. `malformed` where their number is another.
[[nodiscard]] Result<void> unpack_into(const Operand& operand, const std::string& bytes);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/graph/graph_tensor.ipp"
#endif
