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

/// The types of DLPack whose elements are of a format of Assay. tf32, which has no type there, and nf4 are not among them.
[[nodiscard]] inline const auto& dlpack_formats() {
  using enum dlpack::TypeCode;
  static constexpr std::array formats{DLPackFormat{floating_point, 64, element_format<float64>()},
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
[[nodiscard]] inline std::string name_of(const dlpack::DataType& type) {
  static constexpr const char* numbered[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  static constexpr const char* whole[] = {"float8_e3m4",     "float8_e4m3",   "float8_e4m3b11fnuz", "float8_e4m3fn",
                                          "float8_e4m3fnuz", "float8_e5m2",   "float8_e5m2fnuz",    "float8_e8m0fnu",
                                          "float6_e2m3fn",   "float6_e3m2fn", "float4_e2m1fn"};
  const std::size_t code = type.code, first_whole = std::size(numbered);
  const std::string bits = std::to_string(type.bits);
  std::string name = "type code " + std::to_string(code) + " of " + bits + " bits";
  if (code < first_whole)
    name = numbered[code] + (type.code == 6 && type.bits == 8 ? std::string() : bits);
  else if (code - first_whole < std::size(whole)) {
    name = whole[code - first_whole];
    if (name[5] - '0' != type.bits) name += " of " + bits + " bits";
  }
  return type.lanes == 1 ? name : name + "x" + std::to_string(type.lanes);
}

/// The format of elements of that type, each in bytes of its own. `padded`: elements of fewer than 8 bits are; see `dlpack::flag_subbyte_padded`.
/// Errors: `unsupported`, with what to do instead.
[[nodiscard]] inline Result<ElementFormat> element_format_of(const dlpack::DataType& type, bool padded = false) {
  const auto refuse = [&](const std::string& why) {
    return failure(ErrorKind::unsupported, "DLPack: elements are " + name_of(type) + why);
  };
  if (type.lanes != 1)
    return refuse(", vectors of " + std::to_string(type.lanes) + " lanes; give scalars, with one more dimension for the lanes");
  if (type.code == static_cast<std::uint8_t>(dlpack::TypeCode::boolean)) return refuse(", which are no numbers; give them as uint8");
  if (type.code == static_cast<std::uint8_t>(dlpack::TypeCode::complex))
    return refuse("; give their real and imaginary parts as a last dimension of 2");
  if (type.code == static_cast<std::uint8_t>(dlpack::TypeCode::opaque_handle)) return refuse(", handles that only their producer can read");
  for (const detail::DLPackFormat& known : detail::dlpack_formats()) {
    if (static_cast<std::uint8_t>(known.code) != type.code || known.bits != type.bits) continue;
    if (type.bits < 8 && !padded)
      return refuse(", packed without gaps; give each a byte of its own (and set the flag that says so), or take a `dlpack_packed_view`");
    return known.format;
  }
  return refuse(
      ", which Assay has no format for; it has floats of 16, 32 and 64 bits, bfloat16, the 4-, 6- and 8-bit floats, int8, int32, int64, "
      "uint8, and integers of 4 and 2 bits");
}

/// Errors: `unsupported` where DLPack 1.1 has no such type, as for tf32.
[[nodiscard]] inline Result<dlpack::DataType> dlpack_type_of(const ElementFormat& format) {
  for (const detail::DLPackFormat& known : detail::dlpack_formats())
    if (known.format == format) return dlpack::DataType{static_cast<std::uint8_t>(known.code), static_cast<std::uint8_t>(known.bits), 1};
  return failure(ErrorKind::unsupported, std::string("DLPack 1.1 has no type for ") + format.name + "; convert first");
}

}  // namespace assay::inline v0
