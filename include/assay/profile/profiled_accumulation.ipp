#pragma once

#include "assay/profile/profiled_accumulation.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<AccumulationModel> accumulation_of(const NumericProfile& profile) {
  if (!profile.accumulator)
    return failure(ErrorKind::unsupported, "the profile has no accumulator, because " + profile.accumulator.note);
  if (!profile.order) return failure(ErrorKind::unsupported, "the profile has no order, because " + profile.order.note);
  const FloatLayout& layout = *profile.accumulator;
  const auto nearest = [](const Determined<UnitRounding>& rounding) {
    return rounding.value == UnitRounding::nearest_even || rounding.value == UnitRounding::nearest_away;
  };
  const bool rounds_products =
      profile.products.value != UnitProducts::exact && profile.products.value != UnitProducts::fused;
  const bool cut = profile.aligned_bits.value.value_or(-1) >= 0;
  const bool rounds_to_nearest = nearest(profile.sum_rounding) &&
                                 (!profile.combining_rounding || nearest(profile.combining_rounding)) &&
                                 (!rounds_products || nearest(profile.product_rounding)) &&
                                 !cut;  // sums of which nothing is proved may be directed
  AccumulationModel model;
  model.format_name = "a profiled accumulator";
  model.precision = layout.precision();
  if (cut && *profile.aligned_bits + 1 < model.precision) model.precision = *profile.aligned_bits + 1;
  model.unit_roundoff = power_of_two(rounds_to_nearest ? -model.precision : 1 - model.precision);
  model.max_finite = decode(layout, layout.max_finite_bits());
  const bool flushes = profile.sum_subnormals.value == UnitSubnormals::flushed;
  model.min_subnormal = power_of_two(layout.min_exponent() - (flushes ? 0 : layout.fraction_bits));
  model.truncating = !rounds_to_nearest;
  model.block = cut ? (*profile.order).fused : 1;
  return model;
}

}  // namespace assay::inline v0
