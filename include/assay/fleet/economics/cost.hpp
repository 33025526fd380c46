#pragma once

#include "assay/fleet/economics/figure.hpp"

/// What accelerators cost: formulas over assumptions. Money is in dollars, whatever they are called where one pays.
namespace assay::inline v0 {

/// $·10⁶ / (3600 · tokens a second · utilization).
[[nodiscard]] Figure cost_per_million_tokens(const Assumption& dollars_per_hour, const Assumption& tokens_per_second,
                                             const Assumption& utilization);

/// Tokens a second of a model bound by arithmetic: peak · efficiency / (2 · parameters that a token passes).
[[nodiscard]] Figure compute_bound_tokens(const Assumption& peak, const Assumption& efficiency,
                                          const Assumption& active_parameters);

/// Tokens a second for each kilowatt that the building draws: tokens a second / (kW · PUE).
[[nodiscard]] Figure tokens_per_second_per_kilowatt(const Assumption& tokens_per_second, const Assumption& kilowatts,
                                                    const Assumption& pue);

/// Tokens for each joule that the building draws.
[[nodiscard]] Figure tokens_per_joule(const Assumption& tokens_per_second, const Assumption& kilowatts,
                                      const Assumption& pue);

/// What owning costs.
struct Ownership {
  Assumption capex;                      ///< dollars, with network, racks and installation
  Assumption life_years;                 ///< over which capex is spread
  Assumption utilization;                ///< share of the hours in which it serves
  Assumption kilowatts;                  ///< that it draws itself
  Assumption pue;                        ///< the building's power over it
  Assumption dollars_per_kilowatt_hour;  ///< price of electricity
  Assumption staff;                      ///< dollars an hour, with repair, space and network
};

/// Dollars for an hour that is used: capex / (hours of life · utilization) + (power + staff) / utilization. Power and
/// staff are paid in idle hours, too.
[[nodiscard]] Figure owned_cost_per_hour(const Ownership& ownership);

/// Hours of use after which owning is cheaper than renting: capex / (rent − power − staff); infinity where rent is the
/// cheaper for ever.
[[nodiscard]] Figure break_even_hours(const Ownership& ownership, const Assumption& rent);

/// Dollars for an hour of useful work on capacity that is taken away `interruptions` times an hour: each costs half a
/// checkpoint's interval and a restart; infinity where no work is left.
[[nodiscard]] Figure spot_cost_per_hour(const Assumption& price, const Assumption& interruptions,
                                        const Assumption& checkpoint_hours, const Assumption& restart_hours);

/// Dollars for an hour that is used of what is paid in all hours.
[[nodiscard]] Figure reserved_cost_per_hour(const Assumption& price, const Assumption& utilization);

/// Grams of CO₂ for a million tokens: of electricity, and of making it (`embodied`, kilograms) over its life.
[[nodiscard]] Figure carbon_per_million_tokens(const Ownership& ownership, const Assumption& tokens_per_second,
                                               const Assumption& grams_per_kilowatt_hour, const Assumption& embodied);

/// A price that somebody published.
struct KnownPrice {
  const char* chip;         ///< its name, as in "H100 SXM"
  const char* offer;        ///< how it is sold: on demand, an index of prices
  double dollars_per_hour;  ///< of one accelerator
  const char* as_of;        ///< year and month, or the year alone
  const char* source;       ///< where it was published
};

/// Prices and overheads that were published: data with a date, not advice. Two pages of one year differ by a factor of
/// two for one machine: both are here.
inline constexpr KnownPrice known_prices[] = {
    {"H100 SXM", "on demand, of eight (p5.48xlarge at $98.32)", 12.29, "2026", "disintermediate.global"},
    {"H100 SXM", "on demand (p5)", 6.88, "2026", "compux.net"},
    {"H100 SXM", "index", 1.70, "2025-10", "price index as quoted in 2026"},
    {"H100 SXM", "index", 2.35, "2026-03", "price index as quoted in 2026"},
    {"B200 SXM", "on demand", 3.75, "2026-06", "packet.ai"}};

/// Power usage effectiveness: what a building draws over what its machines draw.
struct KnownPue {
  const char* operator_name;  ///< whose buildings these are; "industry": of all
  double pue;                 ///< a ratio, 1 or more
  const char* source;         ///< where it was published, and when
};
/// As published.
inline constexpr KnownPue known_pues[] = {{"Google", 1.10, "DCD 2024"},
                                          {"Meta", 1.08, "DCD 2024"},
                                          {"AWS", 1.15, "DCD 2024"},
                                          {"Microsoft", 1.18, "DCD 2024"},
                                          {"industry", 1.58, "Uptime Institute 2023"}};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/economics/cost.ipp"
#endif
