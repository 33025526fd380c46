#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace assay {

/// How elements of the ranks are combined. Integers are reduced modulo 2^bits.
enum class ReductionOperator {
  sum,
  product,
  minimum,
  maximum,
  average,           ///< the sum over the number of ranks; of integers, rounded toward zero
  premultiplied_sum  ///< the sum of each rank's elements times that rank's `multiplier`
};

inline constexpr std::array<ReductionOperator, 6> all_reductions{ReductionOperator::sum,     ReductionOperator::product, ReductionOperator::minimum,
                                                         ReductionOperator::maximum, ReductionOperator::average, ReductionOperator::premultiplied_sum};

[[nodiscard]] constexpr std::string_view name_of(ReductionOperator reduction) noexcept {
  switch (reduction) {
    case ReductionOperator::sum: return "sum";
    case ReductionOperator::product: return "product";
    case ReductionOperator::minimum: return "minimum";
    case ReductionOperator::maximum: return "maximum";
    case ReductionOperator::average: return "average";
    case ReductionOperator::premultiplied_sum: return "premultiplied_sum";
  }
  return "sum";
}

[[nodiscard]] constexpr std::optional<ReductionOperator> reduction_named(std::string_view name) noexcept {
  for (const ReductionOperator reduction : all_reductions)
    if (name_of(reduction) == name) return reduction;
  return std::nullopt;
}

}  // namespace assay
