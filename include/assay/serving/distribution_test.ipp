#pragma once

#include "assay/serving/distribution_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_chi_squared.hpp>

#include "assay/core/misuse.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE DistributionTest test_distribution(std::span<const std::uint64_t> counts,
                                                              std::span<const double> probabilities,
                                                              double least_expected) {
  expect(counts.size() == probabilities.size() && !counts.empty(),
         [] { return "test_distribution() takes a count for each probability"; });
  DistributionTest test;
  double sum = 0;
  bool right = true;
  for (std::size_t x = 0; x < counts.size(); ++x) {
    test.samples += counts[x];
    sum += probabilities[x];
    right = right && probabilities[x] >= 0;
    if (probabilities[x] == 0) test.impossible += counts[x];
  }
  expect(right && std::abs(sum - 1) < 1e-6,
         [] { return "test_distribution() takes probabilities that are not negative and sum to 1"; });
  expect(test.samples > 0, [] { return "test_distribution() was given no samples"; });
  std::vector<std::pair<double, double>> cells;  // expected, observed
  const auto n = static_cast<double>(test.samples);
  for (std::size_t x = 0; x < counts.size(); ++x)
    if (probabilities[x] > 0) cells.emplace_back(n * probabilities[x], static_cast<double>(counts[x]));
  std::sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  while (cells.size() > 1 && cells.back().first < least_expected) {
    cells[cells.size() - 2].first += cells.back().first;
    cells[cells.size() - 2].second += cells.back().second;
    cells.pop_back();
    for (std::size_t i = cells.size() - 1; i > 0 && cells[i].first > cells[i - 1].first; --i)
      std::swap(cells[i], cells[i - 1]);
  }
  test.least_expected = cells.back().first;
  for (const auto& [expected, observed] : cells)
    test.statistic += (observed - expected) * (observed - expected) / expected;
  test.degrees_of_freedom = static_cast<double>(cells.size() - 1);
  if (test.degrees_of_freedom > 0)
    test.p_value = boost::math::cdf(boost::math::complement(
        boost::math::chi_squared_distribution<double>(test.degrees_of_freedom), test.statistic));
  if (test.impossible > 0) test.p_value = 0;
  return test;
}

ASSAY_DETAIL_HEADER_INLINE double samples_to_refute(std::span<const double> actual, std::span<const double> expected,
                                                    double level, double power) {
  expect(actual.size() == expected.size() && actual.size() > 1 && level > 0 && level < 1 && power > 0 && power < 1,
         [] { return "samples_to_refute() takes two distributions over one vocabulary, level and power in (0, 1)"; });
  double effect = 0, cells = 0;
  for (std::size_t x = 0; x < actual.size(); ++x) {
    if (expected[x] <= 0) {
      if (actual[x] > 0) return 1;
      continue;
    }
    ++cells;
    effect += (actual[x] - expected[x]) * (actual[x] - expected[x]) / expected[x];
  }
  if (effect < 1e-15 || cells < 2) return std::numeric_limits<double>::infinity();
  using boost::math::complement;
  const double critical =
      boost::math::quantile(complement(boost::math::chi_squared_distribution<double>(cells - 1), level));
  double low = 0, high = 1;  // of the noncentrality
  const auto powerful = [&](double noncentrality) {
    const boost::math::non_central_chi_squared_distribution<double> distribution(cells - 1, noncentrality);
    return boost::math::cdf(complement(distribution, critical)) >= power;
  };
  while (!powerful(high)) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (powerful(middle) ? high : low) = middle;
  }
  return high / effect;
}

ASSAY_DETAIL_HEADER_INLINE Outcome distribution_outcome(const DistributionTest& test, const std::string& id,
                                                        double level) {
  Outcome outcome;
  outcome.id = "serving/" + id;
  outcome.labels["operation"] = "serving";
  outcome.measure("chi_square", test.statistic);
  outcome.measure("degrees_of_freedom", test.degrees_of_freedom);
  outcome.measure("p_value", test.p_value);
  outcome.measure("samples", static_cast<double>(test.samples), "tokens");
  outcome.derivation.push_back("Pearson's chi-square test at level " + number_text(level) +
                               "; cells that expect too little are pooled");
  if (test.impossible > 0) {
    outcome.verdict = Verdict::fail;
    outcome.reason = std::to_string(test.impossible) + " of " + std::to_string(test.samples) +
                     " tokens have probability 0 in the distribution they are to come from";
  } else if (test.degrees_of_freedom < 1) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = std::to_string(test.samples) + " samples fill fewer than two cells; draw more";
  } else if (test.p_value < level) {
    outcome.verdict = Verdict::fail;
    outcome.reason = "the tokens do not come from the distribution: chi-square " + number_text(test.statistic, 4) +
                     " of " + number_text(test.degrees_of_freedom) +
                     " degrees of freedom, p = " + number_text(test.p_value, 3);
  } else {
    outcome.verdict = Verdict::pass;
  }
  return outcome;
}

}  // namespace assay::inline v0
