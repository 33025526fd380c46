#pragma once

#include "assay/profile/detail/unit_questions.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE PlacedProduct UnitQuestions::product(Index term, double value) const {
  const int exponent = value == 0 ? 0 : exponent_of(value);
  const int lowest = exponent >= a.normal + b.normal ? b.normal : b.subnormal,
            least = exponent >= a.normal + b.normal ? a.normal : a.subnormal;
  int right = std::clamp(exponent / 2, lowest, b.largest);
  const int left = std::clamp(exponent - right, least, a.largest);
  right = std::clamp(exponent - left, lowest, b.largest);
  return {term, value * power_of_two(-right), power_of_two(right)};
}

ASSAY_DETAIL_HEADER_INLINE DotProbe UnitQuestions::probe(const std::vector<PlacedProduct>& products) const {
  DotProbe asked{std::vector<std::uint64_t>(static_cast<std::size_t>(terms), unit.a.encode(0)),
                 std::vector<std::uint64_t>(static_cast<std::size_t>(terms), unit.b.encode(0))};
  for (const PlacedProduct& product : products) {
    asked.a[static_cast<std::size_t>(product.term)] = unit.a.encode(product.a);
    asked.b[static_cast<std::size_t>(product.term)] = unit.b.encode(product.b);
  }
  return asked;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::uint64_t> UnitQuestions::codes(const std::vector<DotProbe>& probes) {
  if (error || probes.empty()) return std::vector<std::uint64_t>(probes.size());
  auto answered = unit.ask(probes);
  if (answered) return std::move(answered).value();
  error = answered.error();
  return std::vector<std::uint64_t>(probes.size());
}

ASSAY_DETAIL_HEADER_INLINE std::vector<double> UnitQuestions::sums(
    const std::vector<std::vector<std::pair<Index, double>>>& asked) {
  std::vector<DotProbe> probes;
  for (const auto& terms_and_values : asked) {
    std::vector<PlacedProduct> products;
    for (const auto& [term, value] : terms_and_values) products.push_back(product(term, value));
    probes.push_back(probe(products));
  }
  return answers(probes);
}

ASSAY_DETAIL_HEADER_INLINE Determined<UnitRounding> rounding_that_explains(const std::vector<SeenRounding>& seen) {
  if (std::any_of(seen.begin(), seen.end(), [](const SeenRounding& one) { return !one.explained; }))
    return Determined<UnitRounding>::not_determined("a sum between two numbers came out as neither");
  for (const SeenRounding& one : seen)
    for (const SeenRounding& other : seen)
      if (one.odd == other.odd && one.quarters == other.quarters && one.negative == other.negative &&
          one.away != other.away)
        return {UnitRounding::stochastic, "the same sum was rounded in both directions"};
  std::vector<UnitRounding> fitting;
  for (int mode = 0; mode < 5; ++mode)
    if (std::all_of(seen.begin(), seen.end(), [&](const SeenRounding& one) {
          return rounds_away(static_cast<Rounding>(mode), one.negative, one.odd ? 1 : 0,
                             static_cast<std::uint64_t>(one.quarters) << 62) == one.away;
        }))
      fitting.push_back(static_cast<UnitRounding>(mode));
  if (fitting.size() == 1) return fitting.front();
  if (fitting.empty())
    return Determined<UnitRounding>::not_determined("its answers near ties fit none of the five rounding modes");
  std::string names;
  for (const UnitRounding rounding : fitting)
    names += (names.empty() ? "" : " and ") + std::string(enum_name(rounding));
  return Determined<UnitRounding>::not_determined("what the format can show fits " + names);
}

}  // namespace assay::inline v0::detail
