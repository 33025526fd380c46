#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/accuracy/sample_statistics.hpp"
#include "assay/core/measurement.hpp"

namespace assay::inline v0 {

/// A metric over a set of samples, with the convention that it was computed by: two libraries' scores of one name are
/// one metric only where their conventions are.
struct Score {
  std::string name;                ///< "wer", "bleu", "top1", as `assay accuracy` takes it
  double value = 0;                ///< in `unit`
  std::string unit = "1";          ///< "%" for scores from 0 to 100
  bool higher_is_better = true;    ///< else a smaller value is
  std::string convention;          ///< tokenizer, smoothing, ties, what was left out: everything that moves the value
  std::vector<Measurement> parts;  ///< what it is made of, counts of what was compared among them
  SampleStatistics statistics;     ///< by sample, in their order; empty where samples do not add up
  MetricOfSums of_sums;            ///< the value of sums of `statistics`
  bool binary = false;             ///< every sample is right (1 of 1) or wrong (0 of 1)
};

}  // namespace assay::inline v0
