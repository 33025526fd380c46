#pragma once

#include "assay/profile/detail/examine_order.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<MaskSizes> mask_sizes(UnitQuestions& questions) {
  const Index last = questions.terms - 1, middle = questions.terms / 2;
  const auto all = [](const std::vector<double>& answers, double expected) {
    return std::all_of(answers.begin(), answers.end(), [&](double answer) { return answer == expected; });
  };
  const int largest = questions.a.largest + questions.b.largest;
  std::optional<int> mask;
  for (const int size : {std::min(largest, 1000), 126, 62, 30, 15, 12, 8}) {
    if (size > largest || mask) continue;
    const double m = power_of_two(size);
    std::vector<std::vector<std::pair<Index, double>>> asked;
    for (const auto& [i, j] : {std::pair{Index{0}, Index{1}}, std::pair{Index{0}, last}, std::pair{middle, last},
                               std::pair{middle - 1, middle}}) {
      if (i == j) continue;
      asked.push_back({{i, m}, {j, -m}});
      asked.push_back({{i, -m}, {j, m}});
    }
    if (all(questions.sums(asked), 0)) mask = size;
  }
  if (!mask) return std::nullopt;
  const int normal = std::max(questions.c.normal, questions.a.normal + questions.b.normal),
            subnormal = std::max(questions.c.subnormal, questions.a.subnormal + questions.b.subnormal);
  const int least = std::max(normal, *mask - 200);
  for (const int size : {*mask - least < 40 ? subnormal : least, least, -24, -14, -10, -6, 0}) {
    if (size < subnormal || size > *mask - 8) continue;
    const double u = power_of_two(size);
    if (all(questions.sums({{{0, u}}, {{middle, u}}, {{last, u}}}), u)) return MaskSizes{*mask, size};
  }
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<Index>> OrderExamination::count(const Pairs& pairs) {
  const Index terms = questions_.terms;
  std::vector<PlacedProduct> units;
  for (Index term = 0; term < terms; ++term) units.push_back(questions_.product(term, unit_));
  const DotProbe all_units = questions_.probe(units);
  std::vector<DotProbe> probes(pairs.size(), all_units);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const auto& [term, value] : {std::pair{pairs[i].first, mask_}, std::pair{pairs[i].second, -mask_}}) {
      const PlacedProduct placed = questions_.product(term, value);
      probes[i].a[static_cast<std::size_t>(term)] = questions_.unit.a.encode(placed.a);
      probes[i].b[static_cast<std::size_t>(term)] = questions_.unit.b.encode(placed.b);
    }
  std::vector<Index> met;
  for (const double answer : questions_.answers(probes)) {
    const double outside = answer / unit_;
    if (questions_.error) return Failure{*questions_.error};
    if (!(outside >= 0 && outside <= static_cast<double>(terms - 2)) || outside != std::floor(outside))
      return failure(ErrorKind::invalid, "the masks leave a trace: between " + std::to_string(terms) +
                                             " units a sum of " + printed_number(outside, 9));
    met.push_back(terms - static_cast<Index>(outside));
  }
  return met;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<Index>> OrderExamination::ask_alone(const Pairs& pairs) {
  const Index terms = questions_.terms;
  std::vector<Index> met;
  for (const auto& [first, second] : pairs) {
    std::vector<std::vector<std::pair<Index, double>>> asked;
    for (Index term = 0; term < terms; ++term)
      if (term != first && term != second) asked.push_back({{first, mask_}, {second, -mask_}, {term, unit_}});
    Index inside = 2;
    for (const double answer : questions_.sums(asked)) inside += answer == unit_ ? 0 : 1;
    if (questions_.error) return Failure{*questions_.error};
    met.push_back(inside);
  }
  return met;
}

}  // namespace assay::inline v0::detail
