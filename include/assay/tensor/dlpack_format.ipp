#pragma once

#include "assay/tensor/dlpack_format.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const dlpack::DataType& type) {
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

ASSAY_DETAIL_HEADER_INLINE Result<ElementFormat> element_format_of(const dlpack::DataType& type, bool padded) {
  const auto refuse = [&](const std::string& why) {
    return failure(ErrorKind::unsupported, "DLPack: elements are " + name_of(type) + why);
  };
  if (type.lanes != 1)
    return refuse(", vectors of " + std::to_string(type.lanes) +
                  " lanes; give scalars, with one more dimension for the lanes");
  if (type.code == static_cast<std::uint8_t>(dlpack::TypeCode::boolean))
    return refuse(", which are no numbers; give them as uint8");
  if (type.code == static_cast<std::uint8_t>(dlpack::TypeCode::complex))
    return refuse("; give their real and imaginary parts as a last dimension of 2");
  if (type.code == static_cast<std::uint8_t>(dlpack::TypeCode::opaque_handle))
    return refuse(", handles that only their producer can read");
  for (const detail::DLPackFormat& known : detail::dlpack_formats()) {
    if (static_cast<std::uint8_t>(known.code) != type.code || known.bits != type.bits) continue;
    if (type.bits < 8 && !padded)
      return refuse(
          ", packed without gaps; give each a byte of its own (and set the flag that says so), or take a "
          "`dlpack_packed_view`");
    return known.format;
  }
  return refuse(
      ", which Assay has no format for; it has floats of 16, 32 and 64 bits, bfloat16, the 4-, 6- and 8-bit floats, "
      "int8, int32, int64, "
      "uint8, and integers of 4 and 2 bits");
}

}  // namespace assay::inline v0
