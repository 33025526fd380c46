#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "assay/core/result.hpp"
#include "assay/formats/element_format.hpp"

namespace assay::inline v0 {

/// Element types of tensors in graphs, by ONNX's numbers (onnx.proto3, TensorProto.DataType, of ONNX 1.23).
enum class TensorType : std::int32_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
  float8e4m3fn = 17,
  float8e4m3fnuz = 18,
  float8e5m2 = 19,
  float8e5m2fnuz = 20,
  uint4 = 21,
  int4 = 22,
  float4e2m1 = 23,
  float8e8m0 = 24,
  uint2 = 25,
  int2 = 26
};

/// Bits of one element; 0 of strings and of what is no type.
[[nodiscard]] int bits_of(TensorType type) noexcept;

/// "float32", "float8e4m3fn", …; "unknown" of what is no type.
[[nodiscard]] std::string_view name_of(TensorType type) noexcept;

/// The type that holds elements of that format. `unsupported` where ONNX has none.
[[nodiscard]] Result<TensorType> tensor_type_of(const ElementFormat& format);

/// The format of elements of that type; nothing of strings, truth values, complex numbers and unsigned 64-bit integers.
[[nodiscard]] std::optional<ElementFormat> element_format_of(TensorType type) noexcept;

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/graph/tensor_type.ipp"
#endif
