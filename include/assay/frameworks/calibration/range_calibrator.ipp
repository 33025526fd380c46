#pragma once

#include "assay/frameworks/calibration/range_calibrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/formats/classify.hpp"

namespace assay::inline v0 {

namespace detail {

/// first + i·step, rounded to float32 after the product and after the sum: both are exact in float64.
[[nodiscard]] inline float edge_at(float first, float step, std::size_t i) {
  const float product = static_cast<float>(static_cast<double>(i) * static_cast<double>(step));
  return static_cast<float>(static_cast<double>(first) + static_cast<double>(product));
}

/// n + 1 edges of n bins of one width.
[[nodiscard]] inline std::vector<float> even_edges(float first, float last, std::size_t bins) {
  if (first == last) {
    first = static_cast<float>(first - 0.5);
    last = static_cast<float>(last + 0.5);
  }
  const float width = static_cast<float>(static_cast<double>(last) - static_cast<double>(first));
  const float step = static_cast<float>(static_cast<double>(width) / static_cast<double>(bins));
  std::vector<float> edges(bins + 1);
  for (std::size_t i = 0; i <= bins; ++i) edges[i] = edge_at(first, step, i);
  edges[bins] = last;
  return edges;
}

/// What 10⁻⁴ in empty bins makes of counts; nothing where all are empty.
inline bool smoothed(const std::vector<std::int64_t>& counts, std::vector<double>& smooth) {
  constexpr double share = 1e-4;
  const auto empty = std::count(counts.begin(), counts.end(), 0);
  const auto full = static_cast<std::ptrdiff_t>(counts.size()) - empty;
  if (full == 0) return false;
  const double taken = share * static_cast<double>(empty) / static_cast<double>(full);
  smooth.resize(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i)
    smooth[i] = counts[i] == 0 ? share : static_cast<double>(counts[i]) - taken;
  return true;
}

[[nodiscard]] inline double divergence(const std::vector<double>& p, const std::vector<double>& q) {
  double p_sum = 0, q_sum = 0, sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    p_sum += p[i];
    q_sum += q[i];
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] <= 0 || q[i] <= 0) return std::numeric_limits<double>::infinity();
    sum += p[i] / p_sum * std::log(p[i] / p_sum / (q[i] / q_sum));
  }
  return sum;
}

/// Bins from `start` until before `end` against themselves in `levels` levels.
[[nodiscard]] inline double divergence_within(const std::vector<std::int64_t>& counts, std::size_t start,
                                              std::size_t end, std::size_t levels) {
  const auto at = [&](std::size_t i) { return counts.begin() + static_cast<std::ptrdiff_t>(i); };
  const std::vector<std::int64_t> inside(at(start), at(end));
  std::vector<std::int64_t> p = inside, q(inside.size(), 0);
  for (std::size_t i = 0; i < start; ++i) p.front() += counts[i];
  for (std::size_t i = end; i < counts.size(); ++i) p.back() += counts[i];
  const std::size_t merged = inside.size() / levels;
  for (std::size_t level = 0; level < levels; ++level) {
    const std::size_t from = level * merged, to = from + merged;
    std::int64_t sum = 0, full = 0;
    for (std::size_t i = from; i < (level + 1 == levels ? inside.size() : to); ++i) sum += inside[i];
    for (std::size_t i = from; i < to; ++i) full += p[i] != 0 ? 1 : 0;
    for (std::size_t i = from; full != 0 && i < to; ++i) q[i] = sum / full;
  }
  std::vector<double> smooth_p, smooth_q;
  if (!smoothed(p, smooth_p) || !smoothed(q, smooth_q)) return std::numeric_limits<double>::infinity();
  return divergence(smooth_p, smooth_q);
}

/// The middle 2i + 1 bins.
[[nodiscard]] inline RangeCandidate divergence_of(const ActivationHistogram& own, std::size_t levels, std::size_t i) {
  const std::size_t bins = own.counts.size(), zero = bins / 2, start = zero - i, end = std::min(zero + i + 1, bins);
  return {{own.edges[start], own.edges[end]}, divergence_within(own.counts, start, end, levels)};
}

[[nodiscard]] inline CalibratedRange least_divergence(const ActivationHistogram& own, std::size_t levels) {
  RangeCandidate best{{own.edges.front(), own.edges.back()}, std::numeric_limits<double>::infinity()};
  for (std::size_t i = levels / 2; i <= own.counts.size() / 2; ++i) {
    const RangeCandidate candidate = divergence_of(own, levels, i);
    if (i == levels / 2 || candidate.loss < best.loss) best = candidate;
  }
  return best.range;
}

/// x to the nearest of 8 bits and back.
[[nodiscard]] inline double quantized_and_back(double x, const QuantizationParameters& own, bool symmetric) {
  const double lowest = symmetric ? -127 : -128,
               code = std::nearbyint(x / static_cast<double>(own.scale)) + static_cast<double>(own.zero_point);
  return (std::clamp(code, lowest, 127.0) - static_cast<double>(own.zero_point)) * static_cast<double>(own.scale);
}

/// [−a, a] within what there is.
[[nodiscard]] inline RangeCandidate squares_of(const ActivationHistogram& own, bool symmetric, float a) {
  RangeCandidate candidate{{std::max(-a, own.lowest), std::min(a, own.highest)}, 0};
  const QuantizationParameters parameters = quantization_of(candidate.range, symmetric ? -127 : -128, 127, symmetric);
  for (std::size_t i = 0; i < own.counts.size(); ++i) {
    if (own.counts[i] == 0) continue;
    const double center = 0.5 * (static_cast<double>(own.edges[i]) + static_cast<double>(own.edges[i + 1]));
    const double error = center - quantized_and_back(center, parameters, symmetric);
    candidate.loss += static_cast<double>(own.counts[i]) * error * error;
  }
  return candidate;
}

[[nodiscard]] inline CalibratedRange least_squares(const ActivationHistogram& own, bool symmetric) {
  RangeCandidate best{{own.lowest, own.highest}, std::numeric_limits<double>::infinity()};
  for (const float a : own.edges) {
    if (a <= 0) continue;
    const RangeCandidate candidate = squares_of(own, symmetric, a);
    if (candidate.loss < best.loss) best = candidate;
  }
  return best.range;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string_view name_of(CalibrationMethod method) noexcept {
  switch (method) {
    case CalibrationMethod::min_max: return "min-max";
    case CalibrationMethod::percentile: return "percentile";
    case CalibrationMethod::entropy: return "entropy";
    case CalibrationMethod::mean_squared_error: return "mse";
  }
  return "unknown";
}

ASSAY_DETAIL_HEADER_INLINE Result<CalibrationMethod> calibration_method_named(std::string_view name) {
  std::string all;
  for (const CalibrationMethod method : calibration_methods) {
    if (name_of(method) == name) return method;
    all += (all.empty() ? "" : ", ") + std::string(name_of(method));
  }
  return failure(ErrorKind::invalid, "'" + std::string(name) + "' is no method of calibration; there are " + all);
}

ASSAY_DETAIL_HEADER_INLINE RangeCalibrator::RangeCalibrator(const CalibrationOptions& options) : options_(options) {
  expect(options.bins >= 2 && options.levels >= 2 && options.percentile > 0 && options.percentile <= 100, [] {
    return "a RangeCalibrator was made with bins or levels below 2, or with a percentile outside (0, 100]";
  });
}

ASSAY_DETAIL_HEADER_INLINE void RangeCalibrator::count(std::span<const float> batch, const std::vector<float>& edges,
                                                       std::vector<std::int64_t>& counts) const {
  counts.resize(edges.size() - 1, 0);
  for (float value : batch) {
    if (is_nan(value)) continue;
    if (absolute()) value = std::fabs(value);
    if (value < edges.front() || value > edges.back()) continue;
    const auto above = std::upper_bound(edges.begin(), edges.end(), value);
    const std::size_t bin = std::min(static_cast<std::size_t>(above - edges.begin()), edges.size() - 1) - 1;
    ++counts[bin];
  }
}

ASSAY_DETAIL_HEADER_INLINE void RangeCalibrator::widen_absolute(float most) {
  auto& edges = histogram_.edges;
  if (most <= edges.back()) return;
  const float width = edges[1] - edges[0], first = edges.back() + width, end = most + width;
  const float next = first + width, step = next - first;
  const auto more = static_cast<std::size_t>(std::max(0.0F, std::ceil((end - first) / width)));
  for (std::size_t i = 0; i < more; ++i) edges.push_back(detail::edge_at(first, step, i));
  histogram_.counts.resize(edges.size() - 1, 0);
}

ASSAY_DETAIL_HEADER_INLINE void RangeCalibrator::widen(float threshold) {
  if (threshold <= threshold_) return;
  auto& counts = histogram_.counts;
  const auto stride = static_cast<float>(2 * static_cast<double>(threshold_) / static_cast<double>(counts.size()));
  const float beyond = threshold - threshold_;
  const auto more = static_cast<std::size_t>((beyond - std::fmod(beyond, stride)) / stride) + 1;
  threshold_ = detail::edge_at(threshold_, stride, more);
  counts.insert(counts.begin(), more, 0);
  counts.insert(counts.end(), more, 0);
  histogram_.edges = detail::even_edges(-threshold_, threshold_, counts.size());
}

ASSAY_DETAIL_HEADER_INLINE void RangeCalibrator::add_to_bins(std::span<const float> batch, float least, float most) {
  const auto bins = static_cast<std::size_t>(options_.bins);
  const float threshold = std::max(std::fabs(least), std::fabs(most));
  if (absolute()) {
    if (histogram_.edges.empty()) {
      float lowest = threshold;
      for (const float value : batch)
        if (!is_nan(value)) lowest = std::min(lowest, std::fabs(value));
      histogram_.edges = detail::even_edges(lowest, threshold, bins);
    } else {
      widen_absolute(threshold);
    }
  } else if (histogram_.edges.empty() || threshold_ == 0) {
    // What was 0 until now lies in the middle.
    std::vector<std::int64_t> zeros = std::move(histogram_.counts);
    threshold_ = threshold;
    histogram_.edges = detail::even_edges(-threshold, threshold, bins);
    histogram_.counts = std::move(zeros);
  } else {
    widen(threshold);
  }
  count(batch, histogram_.edges, histogram_.counts);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> RangeCalibrator::add(std::span<const float> batch) {
  float least = 0, most = 0;
  std::int64_t elements = 0;
  for (const float value : batch) {
    if (is_nan(value)) continue;
    if (is_infinite(value))
      return failure(ErrorKind::invalid, "a recorded value is infinite, of which no range is made");
    least = elements == 0 ? value : std::min(least, value);
    most = elements == 0 ? value : std::max(most, value);
    ++elements;
  }
  if (elements == 0) return {};
  if (options_.method != CalibrationMethod::min_max) add_to_bins(batch, least, most);
  histogram_.lowest = histogram_.elements == 0 ? least : std::min(histogram_.lowest, least);
  histogram_.highest = histogram_.elements == 0 ? most : std::max(histogram_.highest, most);
  histogram_.elements += elements;
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<CalibratedRange> RangeCalibrator::range() const {
  if (histogram_.elements == 0)
    return failure(ErrorKind::invalid, "nothing was recorded, so there is no range; give values that are no NaN");
  CalibratedRange range{histogram_.lowest, histogram_.highest};
  if (options_.method == CalibrationMethod::percentile) {
    std::int64_t total = 0;
    for (const std::int64_t own : histogram_.counts) total += own;
    const auto edge_reaching = [&](double share) {
      double sum = 0;
      for (std::size_t i = 0; i < histogram_.counts.size(); ++i) {
        sum += static_cast<double>(histogram_.counts[i]) / static_cast<double>(total);
        if (sum >= share) return histogram_.edges[i];
      }
      return histogram_.edges.back();
    };
    if (options_.symmetric) {
      const float a = edge_reaching(options_.percentile / 100);
      range = {-a, a};
    } else {
      const double tail = (100 - options_.percentile) / 200;
      range = {edge_reaching(tail), edge_reaching(1 - tail)};
    }
  } else if (options_.method == CalibrationMethod::entropy) {
    range = detail::least_divergence(histogram_, static_cast<std::size_t>(options_.levels));
  } else if (options_.method == CalibrationMethod::mean_squared_error) {
    range = detail::least_squares(histogram_, options_.symmetric);
  }
  return finished(range);
}

ASSAY_DETAIL_HEADER_INLINE CalibratedRange RangeCalibrator::finished(CalibratedRange range) const {
  range = {std::max(range.low, histogram_.lowest), std::min(range.high, histogram_.highest)};
  if (!options_.symmetric || absolute()) return range;
  const float a = std::max(std::fabs(range.low), std::fabs(range.high));
  return {-a, a};
}

ASSAY_DETAIL_HEADER_INLINE RangeCandidate RangeCalibrator::candidate_near(CalibratedRange range) const {
  const bool squares = options_.method == CalibrationMethod::mean_squared_error;
  if (!squares && options_.method != CalibrationMethod::entropy) return {range, 0};
  const float a = std::max(std::fabs(range.low), std::fabs(range.high));
  const auto above = std::lower_bound(histogram_.edges.begin(), histogram_.edges.end(), a);
  auto edge = static_cast<std::size_t>(above - histogram_.edges.begin());
  const std::size_t bins = histogram_.counts.size(), zero = bins / 2;
  edge = std::min(edge, bins);
  if (edge > 0 && a - histogram_.edges[edge - 1] < histogram_.edges[edge] - a) --edge;
  const auto levels = static_cast<std::size_t>(options_.levels);
  const std::size_t i = std::clamp(edge > zero ? edge - zero - 1 : 0, std::min(levels / 2, zero), zero);
  RangeCandidate own = squares ? detail::squares_of(histogram_, options_.symmetric, histogram_.edges[edge])
                               : detail::divergence_of(histogram_, levels, i);
  own.range = finished(own.range);
  return own;
}

ASSAY_DETAIL_HEADER_INLINE QuantizationParameters quantization_of(CalibratedRange range, std::int64_t lowest_code,
                                                                  std::int64_t highest_code, bool symmetric) {
  float low = std::min(range.low, 0.0F), high = std::max(range.high, 0.0F);
  if (symmetric) {
    high = std::max(-low, high);
    low = -high;
  }
  const double scale = (static_cast<double>(high) - static_cast<double>(low)) /
                       (static_cast<double>(highest_code) - static_cast<double>(lowest_code));
  if (scale < static_cast<double>(std::numeric_limits<float>::min())) return {};
  const double zero = symmetric
                          ? std::nearbyint((static_cast<double>(lowest_code) + static_cast<double>(highest_code)) / 2)
                          : std::nearbyint(static_cast<double>(lowest_code) - static_cast<double>(low) / scale);
  return {static_cast<float>(scale), static_cast<std::int64_t>(zero)};
}

}  // namespace assay::inline v0
