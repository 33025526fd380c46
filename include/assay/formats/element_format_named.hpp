#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "assay/formats/element_format.hpp"
#include "assay/formats/format_list.hpp"

namespace assay::inline v0 {

/// The format of elements with that name, such as "bf16", "int8" or "int64"; none if the name means another kind of
/// format, or nothing.
[[nodiscard]] inline std::optional<ElementFormat> element_format_named(std::string_view name) {
  for (const ElementFormat& format : {element_format<std::int32_t>(), element_format<std::int64_t>()})
    if (name == format.name) return format;
  const auto found = with_format(AllFormats{}, name, [&]<class T>() -> std::optional<ElementFormat> {
    if constexpr (FloatFormat<T> || IntegerFormat<T>)
      return element_format<T>();
    else
      return std::nullopt;
  });
  return found ? found.value() : std::nullopt;
}

}  // namespace assay::inline v0
