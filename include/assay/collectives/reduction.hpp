#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace assay {

/// How elements of the ranks are combined. Integers are reduced modulo 2^bits.
enum class Reduction {
  sum,
  product,
  minimum,
  maximum,
  average,           ///< the sum over the number of ranks; of integers, rounded toward zero
  premultiplied_sum  ///< the sum of each rank's elements times that rank's `multiplier`
};

inline constexpr std::array<Reduction, 6> all_reductions{Reduction::sum,     Reduction::product, Reduction::minimum,
                                                         Reduction::maximum, Reduction::average, Reduction::premultiplied_sum};

[[nodiscard]] constexpr std::string_view name_of(Reduction reduction) noexcept {
  switch (reduction) {
    case Reduction::sum: return "sum";
    case Reduction::product: return "product";
    case Reduction::minimum: return "minimum";
    case Reduction::maximum: return "maximum";
    case Reduction::average: return "average";
    case Reduction::premultiplied_sum: return "premultiplied_sum";
  }
  return "sum";
}

[[nodiscard]] constexpr std::optional<Reduction> reduction_named(std::string_view name) noexcept {
  for (const Reduction reduction : all_reductions)
    if (name_of(reduction) == name) return reduction;
  return std::nullopt;
}

}  // namespace assay
