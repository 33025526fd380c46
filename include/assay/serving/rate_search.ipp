#pragma once

#include "assay/serving/rate_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/report/text.hpp"
#include "assay/statistics/rate_interval.hpp"

namespace assay::inline v0 {
namespace detail {

/// The two-sided normal quantile, by bisection of erfc: a decision of a search needs no more.
inline double two_sided_z(double confidence) {
  double low = 0, high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) > 1 - confidence ? low : high) = middle;
  }
  return high;
}

inline Result<RateStep> decide_load(const ProbeRate& probe, double load, const RateSearchOptions& options) {
  RateStep step;
  step.load = load;
  const double z = two_sided_z(options.confidence);
  bool valid = false;
  while (step.probes < options.most_probes && !step.decided) {
    const auto found = probe(load);
    if (!found) return found.propagate();
    ++step.probes;
    if (!found.value().valid) {
      step.note = found.value().note;
      continue;
    }
    valid = true;
    step.requests += found.value().requests;
    step.kept += found.value().kept;
    const RateInterval share = rate_interval(step.kept, step.requests, z);
    step.decided = share.lower >= options.least_kept || share.upper < options.least_kept;
    step.sustained =
        static_cast<double>(step.kept) >= options.least_kept * static_cast<double>(step.requests) && step.requests > 0;
  }
  step.sustained = step.sustained && valid;
  return step;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<RateSearch> search_rate(const ProbeRate& probe, const RateSearchOptions& options) {
  if (!(options.first > 0) || !(options.most >= options.first) || !(options.precision > 0) ||
      options.most_probes == 0 || !(options.least_kept > 0 && options.least_kept <= 1) ||
      !(options.confidence > 0 && options.confidence < 1))
    return failure(
        ErrorKind::invalid,
        "a search for a rate needs 0 < first ≤ most, a precision above 0, a share in (0, 1], a confidence in "
        "(0, 1) and a probe at least");
  RateSearch search;
  const auto sustained = [&](double load) -> Result<bool> {
    auto step = detail::decide_load(probe, load, options);
    if (!step) return step.propagate();
    const bool held = step.value().sustained;
    if (step.value().requests == 0) search.limited = true;
    (held ? search.sustained : search.refuted) = load;
    search.steps.push_back(std::move(step).value());
    return held;
  };
  double load = options.whole ? std::ceil(options.first) : options.first;
  for (;;) {
    const auto held = sustained(load);
    if (!held) return held.propagate();
    if (!held.value()) break;
    if (load >= options.most) {
      search.limited = true;
      return search;
    }
    load = std::min(2 * load, options.most);
  }
  // Below the first load the lower end is a 64th of it: a server that holds less holds nothing to speak of.
  const double floor = options.whole ? 1 : options.first / 64;
  while (!search.limited) {
    const double low = search.sustained, high = search.refuted;
    if (high <= floor || (low > 0 && high - low <= std::max(options.precision * low, options.whole ? 1.0 : 0.0))) break;
    double middle = low > 0 ? (low + high) / 2 : high / 2;
    if (options.whole) middle = std::floor(middle);
    if (middle <= low || middle >= high) break;
    if (const auto held = sustained(middle); !held) return held.propagate();
  }
  return search;
}

ASSAY_DETAIL_HEADER_INLINE Outcome rate_search_outcome(const RateSearch& search, const RateSearchOptions& options,
                                                       const std::string& id) {
  Outcome outcome;
  outcome.id = "serving/" + id;
  outcome.labels["operation"] = "serving";
  const std::string unit = options.whole ? "users" : "requests/s";
  outcome.measure("sustained_load", search.sustained, unit);
  if (search.refuted > 0) outcome.measure("refuted_load", search.refuted, unit);
  Table table{"Loads that were tried", {unit, "runs", "requests", "kept", "share", "sustained"}, {}};
  bool decided = true;
  Series series{"Share of requests that kept the service level", unit, "share", {}};
  for (const RateStep& step : search.steps) {
    const double share = step.requests > 0 ? static_cast<double>(step.kept) / static_cast<double>(step.requests) : 0;
    table.rows.push_back({number_text(step.load), std::to_string(step.probes), std::to_string(step.requests),
                          std::to_string(step.kept), number_text(share, 4),
                          std::string(step.sustained ? "yes" : "no") + (step.decided ? "" : ", undecided") +
                              (step.note.empty() ? "" : ": " + step.note)});
    series.points.emplace_back(step.load, share);
    if (step.load == search.sustained || step.load == search.refuted) decided = decided && step.decided;
  }
  std::sort(series.points.begin(), series.points.end());
  outcome.tables.push_back(std::move(table));
  outcome.series.push_back(std::move(series));
  outcome.derivation.push_back("a load is sustained where " + number_text(100 * options.least_kept) +
                               " % of its requests keep the service level, at " +
                               number_text(100 * options.confidence) + " % confidence");
  if (search.limited) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = search.sustained >= options.most
                         ? "the server sustained all that was tried, up to " + number_text(options.most) + " " + unit
                         : "the client, not the server, ended the search" +
                               (search.steps.empty() ? "" : ": " + search.steps.back().note);
  } else if (search.sustained == 0) {
    outcome.verdict = Verdict::fail;
    outcome.reason = "no load was sustained, down to " + number_text(search.refuted) + " " + unit;
  } else {
    outcome.verdict = decided ? Verdict::pass : Verdict::inconclusive;
    if (!decided)
      outcome.reason = "the ends of the bracket are decided by their share alone; more or longer probes would tell";
  }
  return outcome;
}

}  // namespace assay::inline v0
