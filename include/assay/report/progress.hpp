#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// A duration that is only roughly known, as precise as it deserves: "a few seconds", "about 1 min 20 s", "about 35
/// min", "about 2 h 10 min". Precondition: `seconds` ≥ 0.
[[nodiscard]] std::string rough_duration_text(double seconds);

/// How far a run is, as one line of text. Times are seconds since the start of the run, given by the caller and never
/// decreasing. Not thread-safe.
class Progress {
 public:
  /// `planned`: how many cases are to run; 0: unknown.
  explicit Progress(std::size_t planned = 0) : planned_(planned) {}

  /// A case began at `now`.
  void case_started(const std::string& id, double now) { running_.push_back({id, now}); }
  /// A case ended at `now`; `bad`: it failed or erred.
  void case_finished(const std::string& id, bool bad, double now);
  /// Forgets cases that began and never ended, as after a crash.
  void nothing_runs() { running_.clear(); }

  /// Seconds until the end, as far as the mean cost of the cases so far tells; empty while too little is known (5
  /// cases, 2 seconds) and when nothing is left. The mean, not the recent rate: costs differ a thousandfold and come in
  /// the same order for every backend, so that on recorded runs the recent rate was off tenfold at times and the mean
  /// threefold. A case that takes long counts as one case, however long it takes: what hangs says nothing about the
  /// others.
  [[nodiscard]] std::optional<double> remaining_seconds(double now) const {
    if (done_ < 5 || last_finish_ < 2 || done_ >= planned_) return std::nullopt;
    const double mean = last_finish_ / static_cast<double>(done_);
    const double begun = std::clamp((now - last_finish_) / mean, 0.0, 1.0);
    return mean * (static_cast<double>(planned_ - done_) - begun);
  }

  /// "120/340, 1 bad  35.2/s  12 s, about 20 s left  gemm/host/… and 1 more"
  [[nodiscard]] std::string line(double now) const;

 private:
  struct RunningCase {
    std::string id;
    double start = 0;
  };

  std::size_t planned_;
  std::size_t done_ = 0;
  std::size_t bad_ = 0;
  double last_finish_ = 0;
  std::vector<RunningCase> running_;  ///< in the order of their starts
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/progress.ipp"
#endif
