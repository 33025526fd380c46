#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/accuracy/mcnemar.hpp"
#include "assay/accuracy/sample_statistics.hpp"

namespace assay::inline v0 {

/// How samples are drawn again.
struct ResamplingOptions {
  std::size_t resamples = 1000;    ///< 100 at least
  double confidence = 0.95;        ///< of two-sided intervals
  std::uint64_t seed = 1;          ///< the same seed gives the same interval on every machine
  std::size_t most_blocks = 4096;  ///< of more samples, as many blocks of a random partition are drawn instead
};

/// A metric's value, and what scatter of samples leaves of it.
struct MetricInterval {
  double estimate = 0;        ///< of all samples
  double lower = 0;           ///< of the percentile interval
  double upper = 0;           ///< of the percentile interval
  double deviation = 0;       ///< standard error: of the resamples; infinite where one of them is
  std::size_t samples = 0;    ///< that were drawn from
  std::size_t undefined = 0;  ///< resamples whose value is NaN, and are left out
};

/// The interval of a metric over samples drawn with replacement. Source: Efron, Tibshirani, "An introduction to the
/// bootstrap", 1993, §13.3. Below some 30 samples it is too short. O(resamples · samples · width). Misuse: no samples,
/// fewer than 100 resamples.
[[nodiscard]] MetricInterval bootstrap_interval(const SampleStatistics& samples, const MetricOfSums& metric,
                                                const ResamplingOptions& options = {});

/// The interval of candidate − baseline where both are drawn together, so that what makes a sample hard for both
/// cancels. Source: Koehn, EMNLP 2004. Misuse: as above; sizes or widths that differ.
[[nodiscard]] MetricInterval paired_bootstrap(const SampleStatistics& candidate, const SampleStatistics& baseline,
                                              const MetricOfSums& metric, const ResamplingOptions& options = {});

/// The chance of so large a difference, either way, where it is a coin that says which side gave which of two outputs:
/// (1 + as large ones) / (1 + resamples). Exact whatever the metric's distribution. Source: approximate randomization,
/// Noreen 1989; Riezler, Maxwell, 2005. Misuse: as above.
[[nodiscard]] double paired_permutation(const SampleStatistics& candidate, const SampleStatistics& baseline,
                                        const MetricOfSums& metric, const ResamplingOptions& options = {});

namespace detail {

/// The interval that values of resamples give an estimate. Infinite where fewer than 100 are numbers; infinities are,
/// and take part.
[[nodiscard]] MetricInterval interval_of(double estimate, std::vector<double> values, std::size_t samples,
                                         const ResamplingOptions& options);

}  // namespace detail

/// Samples that one of two alone has right, of statistics {1 or 0, 1}. Misuse: sizes that differ.
[[nodiscard]] Discordance discordance(const SampleStatistics& candidate, const SampleStatistics& baseline);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/resampling.ipp"
#endif
