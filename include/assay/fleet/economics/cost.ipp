#pragma once

#include "assay/fleet/economics/cost.hpp"

#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

inline constexpr double hours_of_a_year = 8766;

[[nodiscard]] inline double or_never(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : std::numeric_limits<double>::infinity();
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Figure cost_per_million_tokens(const Assumption& dollars_per_hour,
                                                          const Assumption& tokens_per_second,
                                                          const Assumption& utilization) {
  return evaluate("cost of tokens", "$/Mtok", "$/h * 10^6 / (3600 * tok/s * utilization)",
                  {dollars_per_hour, tokens_per_second, utilization},
                  [](const auto& v) { return detail::or_never(v[0] * 1e6, 3600 * v[1] * v[2]); });
}

ASSAY_DETAIL_HEADER_INLINE Figure compute_bound_tokens(const Assumption& peak, const Assumption& efficiency,
                                                       const Assumption& active_parameters) {
  return evaluate("tokens by arithmetic", "tok/s", "peak * efficiency / (2 * active parameters)",
                  {peak, efficiency, active_parameters},
                  [](const auto& v) { return detail::or_never(v[0] * v[1], 2 * v[2]); });
}

ASSAY_DETAIL_HEADER_INLINE Figure tokens_per_second_per_kilowatt(const Assumption& tokens_per_second,
                                                                 const Assumption& kilowatts, const Assumption& pue) {
  return evaluate("tokens by power", "tok/s/kW", "tok/s / (kW * PUE)", {tokens_per_second, kilowatts, pue},
                  [](const auto& v) { return detail::or_never(v[0], v[1] * v[2]); });
}

ASSAY_DETAIL_HEADER_INLINE Figure tokens_per_joule(const Assumption& tokens_per_second, const Assumption& kilowatts,
                                                   const Assumption& pue) {
  return evaluate("tokens by energy", "tok/J", "tok/s / (1000 * kW * PUE)", {tokens_per_second, kilowatts, pue},
                  [](const auto& v) { return detail::or_never(v[0], 1000 * v[1] * v[2]); });
}

ASSAY_DETAIL_HEADER_INLINE Figure owned_cost_per_hour(const Ownership& own) {
  return evaluate(
      "owned, an hour of use", "$/h",
      "capex / (8766 h * years * utilization) + (kW * PUE * $/kWh + staff) / utilization",
      {own.capex, own.life_years, own.utilization, own.kilowatts, own.pue, own.dollars_per_kilowatt_hour, own.staff},
      [](const auto& v) {
        return detail::or_never(v[0], detail::hours_of_a_year * v[1] * v[2]) +
               detail::or_never(v[3] * v[4] * v[5] + v[6], v[2]);
      });
}

ASSAY_DETAIL_HEADER_INLINE Figure break_even_hours(const Ownership& own, const Assumption& rent) {
  return evaluate("owning pays after", "h of use", "capex / (rent - kW * PUE * $/kWh - staff)",
                  {own.capex, rent, own.kilowatts, own.pue, own.dollars_per_kilowatt_hour, own.staff},
                  [](const auto& v) { return detail::or_never(v[0], v[1] - v[2] * v[3] * v[4] - v[5]); });
}

ASSAY_DETAIL_HEADER_INLINE Figure spot_cost_per_hour(const Assumption& price, const Assumption& interruptions,
                                                     const Assumption& checkpoint_hours,
                                                     const Assumption& restart_hours) {
  return evaluate("spot, an hour of work", "$/h", "price / (1 - interruptions * (checkpoint interval / 2 + restart))",
                  {price, interruptions, checkpoint_hours, restart_hours},
                  [](const auto& v) { return detail::or_never(v[0], 1 - v[1] * (v[2] / 2 + v[3])); });
}

ASSAY_DETAIL_HEADER_INLINE Figure reserved_cost_per_hour(const Assumption& price, const Assumption& utilization) {
  return evaluate("reserved, an hour of use", "$/h", "price / utilization", {price, utilization},
                  [](const auto& v) { return detail::or_never(v[0], v[1]); });
}

ASSAY_DETAIL_HEADER_INLINE Figure carbon_per_million_tokens(const Ownership& own, const Assumption& tokens_per_second,
                                                            const Assumption& grams_per_kilowatt_hour,
                                                            const Assumption& embodied) {
  return evaluate(
      "carbon", "g CO2/Mtok",
      "(kW * PUE * g/kWh + 1000 * embodied kg / (8766 h * years)) * 10^6 / (3600 * tok/s * utilization)",
      {own.kilowatts, own.pue, grams_per_kilowatt_hour, embodied, own.life_years, tokens_per_second, own.utilization},
      [](const auto& v) {
        const double grams_an_hour = v[0] * v[1] * v[2] + detail::or_never(1000 * v[3], detail::hours_of_a_year * v[4]);
        return detail::or_never(grams_an_hour * 1e6, 3600 * v[5] * v[6]);
      });
}

}  // namespace assay::inline v0
