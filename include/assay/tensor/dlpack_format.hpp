#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "assay/core/result.hpp"
#include "assay/formats/element_format.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/formats/small_integer.hpp"
#include "assay/tensor/dlpack_abi.hpp"

namespace assay::inline v0 {

namespace detail {

struct DLPackFormat {
  dlpack::TypeCode code;
  int bits;
  ElementFormat format;
};

/// The types of DLPack whose elements are of a format of Assay. tf32, which has no type there, and nf4 are not among
/// them.
[[nodiscard]] inline const auto& dlpack_formats() {
  using enum dlpack::TypeCode;
  static constexpr std::array formats{
      DLPackFormat{floating_point, 64, element_format<float64>()},
      DLPackFormat{floating_point, 32, element_format<float32>()},
      DLPackFormat{floating_point, 16, element_format<float16>()},
      DLPackFormat{bfloat, 16, element_format<bfloat16>()},
      DLPackFormat{dlpack::TypeCode::float8_e3m4, 8, element_format<assay::float8_e3m4>()},
      DLPackFormat{dlpack::TypeCode::float8_e4m3, 8, element_format<assay::float8_e4m3>()},
      DLPackFormat{dlpack::TypeCode::float8_e4m3b11fnuz, 8, element_format<assay::float8_e4m3b11fnuz>()},
      DLPackFormat{dlpack::TypeCode::float8_e4m3fn, 8, element_format<assay::float8_e4m3fn>()},
      DLPackFormat{dlpack::TypeCode::float8_e4m3fnuz, 8, element_format<assay::float8_e4m3fnuz>()},
      DLPackFormat{dlpack::TypeCode::float8_e5m2, 8, element_format<assay::float8_e5m2>()},
      DLPackFormat{dlpack::TypeCode::float8_e5m2fnuz, 8, element_format<assay::float8_e5m2fnuz>()},
      DLPackFormat{dlpack::TypeCode::float8_e8m0fnu, 8, element_format<assay::float8_e8m0fnu>()},
      DLPackFormat{dlpack::TypeCode::float6_e2m3fn, 6, element_format<assay::float6_e2m3fn>()},
      DLPackFormat{dlpack::TypeCode::float6_e3m2fn, 6, element_format<assay::float6_e3m2fn>()},
      DLPackFormat{dlpack::TypeCode::float4_e2m1fn, 4, element_format<assay::float4_e2m1fn>()},
      DLPackFormat{signed_integer, 8, element_format<std::int8_t>()},
      DLPackFormat{signed_integer, 32, element_format<std::int32_t>()},
      DLPackFormat{signed_integer, 64, element_format<std::int64_t>()},
      DLPackFormat{signed_integer, 4, element_format<int4_t>()},
      DLPackFormat{signed_integer, 2, element_format<int2_t>()},
      DLPackFormat{unsigned_integer, 8, element_format<std::uint8_t>()},
      DLPackFormat{unsigned_integer, 4, element_format<uint4_t>()},
      DLPackFormat{unsigned_integer, 2, element_format<uint2_t>()}};
  return formats;
}

}  // namespace detail

/// "float32", "bool", "complex64", "float6_e2m3fn", "float32x4" for four lanes: as frameworks call it.
[[nodiscard]] std::string name_of(const dlpack::DataType& type);

/// The format of elements of that type, each in bytes of its own. `padded`: elements of fewer than 8 bits are; see
/// `dlpack::flag_subbyte_padded`. Errors: `unsupported`, with what to do instead.
[[nodiscard]] Result<ElementFormat> element_format_of(const dlpack::DataType& type, bool padded = false);

/// Errors: `unsupported` where DLPack 1.1 has no such type, as for tf32.
[[nodiscard]] inline Result<dlpack::DataType> dlpack_type_of(const ElementFormat& format) {
  for (const detail::DLPackFormat& known : detail::dlpack_formats())
    if (known.format == format)
      return dlpack::DataType{static_cast<std::uint8_t>(known.code), static_cast<std::uint8_t>(known.bits), 1};
  return failure(ErrorKind::unsupported, std::string("DLPack 1.1 has no type for ") + format.name + "; convert first");
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/tensor/dlpack_format.ipp"
#endif
