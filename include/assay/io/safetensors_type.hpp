#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/result.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// The dtypes that the safetensors format defines (its reference implementation, as of May 2026), in the order of their
/// alignment, in which the reference implementation lays tensors out, last ones first.
enum class SafetensorsType {
  boolean,
  f4,
  f6_e2m3,
  f6_e3m2,
  u8,
  i8,
  f8_e5m2,
  f8_e4m3,
  f8_e8m0,
  f8_e4m3fnuz,
  f8_e5m2fnuz,
  i16,
  u16,
  f16,
  bf16,
  i32,
  u32,
  f32,
  c64,
  f64,
  i64,
  u64
};

/// What a dtype is.
struct SafetensorsTypeFacts {
  SafetensorsType type;
  const char* name;  ///< as files have it: "BF16"
  int bits;          ///< per element
  const char*
      /// the name of Assay's format with the same codes (`FormatTraits<T>::name()`); empty if there is none
      format_name;
};

/// All dtypes, in the order of their alignment.
inline constexpr SafetensorsTypeFacts safetensors_types[] = {
    {SafetensorsType::boolean, "BOOL", 8, ""},
    {SafetensorsType::f4, "F4", 4, "e2m1fn"},
    {SafetensorsType::f6_e2m3, "F6_E2M3", 6, "e2m3fn"},
    {SafetensorsType::f6_e3m2, "F6_E3M2", 6, "e3m2fn"},
    {SafetensorsType::u8, "U8", 8, "uint8"},
    {SafetensorsType::i8, "I8", 8, "int8"},
    {SafetensorsType::f8_e5m2, "F8_E5M2", 8, "e5m2"},
    {SafetensorsType::f8_e4m3, "F8_E4M3", 8, "e4m3fn"},
    {SafetensorsType::f8_e8m0, "F8_E8M0", 8, "e8m0fnu"},
    {SafetensorsType::f8_e4m3fnuz, "F8_E4M3FNUZ", 8, "e4m3fnuz"},
    {SafetensorsType::f8_e5m2fnuz, "F8_E5M2FNUZ", 8, "e5m2fnuz"},
    {SafetensorsType::i16, "I16", 16, ""},
    {SafetensorsType::u16, "U16", 16, ""},
    {SafetensorsType::f16, "F16", 16, "f16"},
    {SafetensorsType::bf16, "BF16", 16, "bf16"},
    {SafetensorsType::i32, "I32", 32, ""},
    {SafetensorsType::u32, "U32", 32, ""},
    {SafetensorsType::f32, "F32", 32, "f32"},
    {SafetensorsType::c64, "C64", 64, ""},
    {SafetensorsType::f64, "F64", 64, "f64"},
    {SafetensorsType::i64, "I64", 64, ""},
    {SafetensorsType::u64, "U64", 64, ""},
};

/// What the format says of a type. O(1).
[[nodiscard]] constexpr const SafetensorsTypeFacts& safetensors_facts(SafetensorsType type) {
  return safetensors_types[static_cast<int>(type)];
}

/// Real numbers in an element: 2 in a complex one (the real part first), else 1.
[[nodiscard]] constexpr int reals_per_element(SafetensorsType type) {
  return type == SafetensorsType::c64 ? 2 : 1;
}

/// A dtype by the name that files give it. `ErrorKind::unsupported` for other names, with the nearest that exist.
[[nodiscard]] inline Result<SafetensorsType> safetensors_type(std::string_view name) {
  std::vector<std::string> names;
  for (const SafetensorsTypeFacts& facts : safetensors_types) {
    if (name == facts.name) return facts.type;
    names.emplace_back(facts.name);
  }
  constexpr std::size_t longest_shown = 40;  // the name may come from a file
  return failure(ErrorKind::unsupported, unknown_name("dtype", visible(name.substr(0, longest_shown)), names));
}

/// The dtype in which a format is stored. Misuse: a format that safetensors has no dtype for.
template <Format T>
[[nodiscard]] SafetensorsType safetensors_type_of() {
  for (const SafetensorsTypeFacts& facts : safetensors_types)
    if (std::string_view(facts.format_name) == FormatTraits<T>::name()) return facts.type;
  misuse(std::string("safetensors has no dtype for ") + FormatTraits<T>::name() +
         "; store its codes as U8, or its values in a wider format");
}

}  // namespace assay::inline v0
