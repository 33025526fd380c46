#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/result.hpp"
#include "assay/formats/format_description.hpp"
#include "assay/formats/nf4.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/formats/tfloat32.hpp"

namespace assay::inline v0 {

/// Formats to choose from by name. Put those of your own into a list to have them chosen like the library's.
template <Format... Formats>
struct FormatList {
  /// What `assay info` and messages tell of the formats, in their order.
  [[nodiscard]] static constexpr std::array<FormatDescription, sizeof...(Formats)> descriptions() {
    return {format_description<Formats>()...};
  }
  /// The names to choose from, in the order of the list.
  [[nodiscard]] static std::vector<std::string> names() { return {FormatTraits<Formats>::name()...}; }
};

/// All formats of the library.
using AllFormats =
    FormatList<float64, float32, tfloat32, float16, bfloat16, float8_e4m3fn, float8_e5m2, float8_e4m3fnuz,
               float8_e5m2fnuz, float8_e4m3b11fnuz, float8_e4m3, float8_e3m4, float8_e8m0fnu, float6_e2m3fn,
               float6_e3m2fn, float4_e2m1fn, std::int8_t, std::uint8_t, int4_t, uint4_t, int2_t, uint2_t, nf4>;

/// Calls `visitor.template operator()<T>()` with the format T of that name, for instance of a lambda `[&]<class T>() {
/// … }`, whose result type is the same for all formats, and gives its result. Errors: `not_found`, with the nearest
/// names. The visitor is compiled for every format of the list.
template <class... Formats, class Visitor>
auto with_format(FormatList<Formats...>, std::string_view name, Visitor&& visitor) {
  using First = std::tuple_element_t<0, std::tuple<Formats...>>;
  using Value = decltype(visitor.template operator()<First>());
  const auto unknown = [&] {
    return failure(ErrorKind::not_found, unknown_name("format", name, FormatList<Formats...>::names()));
  };
  if constexpr (std::is_void_v<Value>) {
    const bool found =
        ((name == FormatTraits<Formats>::name() && (visitor.template operator()<Formats>(), true)) || ...);
    return found ? Result<void>() : Result<void>(unknown());
  } else {
    std::optional<Value> value;
    static_cast<void>(
        ((name == FormatTraits<Formats>::name() && (value.emplace(visitor.template operator()<Formats>()), true)) ||
         ...));
    return value ? Result<Value>(*std::move(value)) : Result<Value>(unknown());
  }
}
template <class Visitor>
auto with_format(std::string_view name, Visitor&& visitor) {
  return with_format(AllFormats{}, name, visitor);
}

}  // namespace assay::inline v0
