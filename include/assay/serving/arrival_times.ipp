#pragma once

#include "assay/serving/arrival_times.hpp"

#include <cmath>
#include <string>

#include "assay/report/text.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {
namespace detail {

/// Of (0, 1), both excluded.
inline double open_uniform(RandomSequence& random) {
  return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53;
}

/// Box and Muller.
inline double standard_normal(RandomSequence& random) {
  const double radius = std::sqrt(-2 * std::log(open_uniform(random)));
  return radius * std::cos(6.283185307179586 * open_uniform(random));
}

/// Marsaglia, Tsang, "A simple method for generating gamma variables", 2000.
inline double standard_gamma(double shape, RandomSequence& random) {
  if (shape < 1) return standard_gamma(shape + 1, random) * std::pow(open_uniform(random), 1 / shape);
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = standard_normal(random), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(open_uniform(random)) < 0.5 * x * x + d * (1 - v + std::log(v))) return d * v;
  }
}

/// A gap of mean 1.
inline double unit_gap(const ArrivalOptions& options, RandomSequence& random) {
  switch (options.process) {
    case ArrivalProcess::constant: return 1;
    case ArrivalProcess::poisson: return -std::log(open_uniform(random));
    case ArrivalProcess::gamma: return standard_gamma(options.burstiness, random) / options.burstiness;
  }
  return 1;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<double>> arrival_times(const ArrivalOptions& options) {
  const double last_rate = options.final_rate == 0 ? options.rate : options.final_rate;
  const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
  if (!positive(options.rate) || !positive(last_rate) || !positive(options.seconds) || !positive(options.burstiness))
    return failure(ErrorKind::invalid, "arrivals need positive, finite rates, seconds and burstiness; given were " +
                                           number_text(options.rate) + " to " + number_text(last_rate) + " a second, " +
                                           number_text(options.seconds) + " s, burstiness " +
                                           number_text(options.burstiness));
  // The rate's integral up to t is rate·t + slope·t²/2: solved for t without cancellation.
  const double slope = (last_rate - options.rate) / options.seconds;
  detail::RandomSequence random(options.seed);
  std::vector<double> times;
  double integral = 0;
  while (times.size() < options.most) {
    const double square = options.rate * options.rate + 2 * slope * integral;
    if (square < 0) break;
    const double time = 2 * integral / (options.rate + std::sqrt(square));
    if (time >= options.seconds) break;
    if (integral > 0 || options.process == ArrivalProcess::constant) times.push_back(time);
    integral += detail::unit_gap(options, random);
  }
  if (times.empty())
    return failure(ErrorKind::invalid, "no request arrives within " + number_text(options.seconds) + " s at " +
                                           number_text(options.rate) + " a second; ask for more seconds");
  return times;
}

}  // namespace assay::inline v0
