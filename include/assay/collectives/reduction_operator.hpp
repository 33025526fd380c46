#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "assay/core/enum_name.hpp"

namespace assay::inline v0 {

/// How elements of the ranks are combined. Integers are reduced modulo 2^bits.
enum class ReductionOperator {
  sum,
  product,
  minimum,
  maximum,
  average,           ///< the sum over the number of ranks; of integers, rounded toward zero
  premultiplied_sum  ///< the sum of each rank's elements times that rank's `multiplier`
};

/// In the order of `ReductionOperator`.
inline constexpr std::array<ReductionOperator, 6> all_reductions{
    ReductionOperator::sum,     ReductionOperator::product, ReductionOperator::minimum,
    ReductionOperator::maximum, ReductionOperator::average, ReductionOperator::premultiplied_sum};

/// The name in ids and on the command line.
[[nodiscard]] constexpr std::string_view name_of(ReductionOperator reduction) noexcept {
  return enum_name(reduction);
}

/// The operator of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<ReductionOperator> reduction_named(std::string_view name) noexcept {
  return enum_named<ReductionOperator>(name);
}

}  // namespace assay::inline v0
