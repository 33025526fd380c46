#pragma once

#include "assay/frameworks/graph/graph_tensor.hpp"

#include <cstring>
#include <limits>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline int packed_bits(const ElementFormat& format) {
  return format.is_float() ? format.layout.bits() : format.wide_integer ? 64 : format.integers.bits;
}

/// Codes of fewer than 8 bits of which ONNX packs several into a byte. Those of 6 bits, which it has not, are not.
[[nodiscard]] inline bool shares_bytes(const ElementFormat& format) {
  return packed_bits(format) == 4 || packed_bits(format) == 2;
}

[[nodiscard]] inline std::uint64_t packed_code(const ElementFormat& format, const char* bytes, Index element) {
  if (!shares_bytes(format)) return format.load_code(bytes, element);
  const int bits = packed_bits(format);
  const Index per = 8 / bits;
  return static_cast<unsigned char>(bytes[element / per]) >> (element % per * bits) & ((1U << bits) - 1);
}

inline void pack_code(const ElementFormat& format, char* bytes, Index element, std::uint64_t code) {
  if (!shares_bytes(format)) return format.store_code(bytes, element, code);
  const int bits = packed_bits(format);
  const Index per = 8 / bits;
  auto& byte = reinterpret_cast<unsigned char&>(bytes[element / per]);
  byte = static_cast<unsigned char>(byte | (code & ((1U << bits) - 1)) << (element % per * bits));
}

[[nodiscard]] inline Index packed_size(const ElementFormat& format, Index elements) {
  return shares_bytes(format) ? (elements * packed_bits(format) + 7) / 8 : elements * format.bytes;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::int64_t GraphTensor::size() const noexcept {
  std::int64_t product = 1;
  bool none = false;
  for (const std::int64_t extent : extents) {
    if (extent < 0) return -1;
    none |= extent == 0;
    if (extent > 0 && product > std::numeric_limits<std::int64_t>::max() / extent) return -1;
    product *= extent > 0 ? extent : 1;
  }
  return none ? 0 : product;
}

ASSAY_DETAIL_HEADER_INLINE std::int64_t GraphTensor::byte_size() const noexcept {
  const std::int64_t elements = size(), bits = bits_of(type);
  if (elements < 0 || bits == 0 || elements > (std::numeric_limits<std::int64_t>::max() - 7) / bits) return -1;
  return (elements * bits + 7) / 8;
}

ASSAY_DETAIL_HEADER_INLINE std::string shape_text(TensorType type, const std::vector<std::int64_t>& extents) {
  std::string text(name_of(type));
  text += '[';
  for (std::size_t d = 0; d < extents.size(); ++d) text += (d > 0 ? "x" : "") + std::to_string(extents[d]);
  return text + ']';
}

ASSAY_DETAIL_HEADER_INLINE GraphTensor tensor_of_values(std::string name, TensorType type,
                                                        std::vector<std::int64_t> extents,
                                                        const std::vector<double>& values) {
  GraphTensor tensor{std::move(name), type, std::move(extents), {}, {}};
  const auto format = element_format_of(type);
  expect(format && tensor.size() == static_cast<std::int64_t>(values.size()),
         [&] { return std::to_string(values.size()) + " values were given for " + shape_text(type, tensor.extents); });
  tensor.bytes.assign(static_cast<std::size_t>(tensor.byte_size()), '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    detail::pack_code(*format, tensor.bytes.data(), static_cast<Index>(i), format->encode(values[i]));
  return tensor;
}

ASSAY_DETAIL_HEADER_INLINE double value_at(const GraphTensor& tensor, std::int64_t element) {
  if (tensor.type == TensorType::boolean) return tensor.bytes[static_cast<std::size_t>(element)] != 0 ? 1 : 0;
  if (tensor.type == TensorType::uint64) {
    std::uint64_t value = 0;
    std::memcpy(&value, tensor.bytes.data() + element * 8, sizeof value);
    return static_cast<double>(value);
  }
  if (tensor.type == TensorType::uint32) {
    std::uint32_t value = 0;
    std::memcpy(&value, tensor.bytes.data() + element * 4, sizeof value);
    return value;
  }
  const auto format = element_format_of(tensor.type);
  expect(format.has_value(),
         [&] { return "elements of type " + std::string(name_of(tensor.type)) + " are no numbers"; });
  return format->decode(detail::packed_code(*format, tensor.bytes.data(), element));
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t code_at(const GraphTensor& tensor, std::int64_t element) {
  const auto format = element_format_of(tensor.type);
  expect(format.has_value(),
         [&] { return "elements of type " + std::string(name_of(tensor.type)) + " have no codes"; });
  return detail::packed_code(*format, tensor.bytes.data(), element);
}

ASSAY_DETAIL_HEADER_INLINE std::string packed_bytes(const Operand& operand) {
  const Index size = operand.size();
  const bool packs = detail::shares_bytes(operand.format);
  std::string bytes(static_cast<std::size_t>(detail::packed_size(operand.format, size)), '\0');
  if (!packs && operand.is_dense()) {
    if (!bytes.empty()) std::memcpy(bytes.data(), operand.data, bytes.size());
    return bytes;
  }
  for (Index i = 0; i < size; ++i)
    detail::pack_code(operand.format, bytes.data(), i, operand.format.load_code(operand.data, operand.offset_of(i)));
  return bytes;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> unpack_into(const Operand& operand, const std::string& bytes) {
  const Index size = operand.size();
  if (static_cast<Index>(bytes.size()) != detail::packed_size(operand.format, size))
    return failure(ErrorKind::malformed, std::to_string(bytes.size()) + " bytes came for " + std::to_string(size) +
                                             " elements of " + operand.format.name);
  if (!detail::shares_bytes(operand.format) && operand.is_dense()) {
    if (!bytes.empty()) std::memcpy(operand.data, bytes.data(), bytes.size());
    return {};
  }
  for (Index i = 0; i < size; ++i)
    operand.format.store_code(operand.data, operand.offset_of(i), detail::packed_code(operand.format, bytes.data(), i));
  return {};
}

}  // namespace assay::inline v0
