#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/diagnosis/detail/inputs.hpp"
#include "assay/diagnosis/detail/irregular_data.hpp"

namespace assay::inline v0::detail {

/// Whether some lanes of an input have a bit that the kernel does not see, while it sees that bit of all others, and
/// other bits of these: it is stuck. Every bit is flipped in one element of 64 at a time.
class StuckLoads {
 public:
  StuckLoads(const DiagnosedCase& given, double seconds) : case_(given), seconds_(seconds) {}

  [[nodiscard]] std::optional<Diagnosis> explanation();

 private:
  static constexpr Index lanes = 64;
  static constexpr std::uint64_t trials = 3;

  [[nodiscard]] bool late() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count() > seconds_;
  }

  [[nodiscard]] std::optional<Diagnosis> stuck(int position, int bit);

  /// Whether any bit of the outputs changes with that bit of the elements of a lane.
  [[nodiscard]] bool reacts(int position, int bit, Index lane, std::uint64_t trial) {
    if (bases_.size() <= trial) bases_.push_back(outputs_of(position, -1, 0, bases_.size()));
    return outputs_of(position, bit, lane, trial) != bases_[static_cast<std::size_t>(trial)];
  }

  [[nodiscard]] std::vector<std::uint64_t> outputs_of(int position, int bit, Index lane, std::uint64_t trial);

  const DiagnosedCase& case_;
  double seconds_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::deque<ChangedOperands> irregular_;  ///< of each trial
  std::vector<std::vector<std::uint64_t>> bases_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/stuck_loads.ipp"
#endif
