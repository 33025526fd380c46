#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/suite/seed.hpp"
#include "assay/training/training_state.hpp"

namespace assay::inline v0 {

/// One step in full, as one rank saw it.
struct AuditedStep {
  Index step = 0;  ///< from 1
  /// Of the step.
  TrainingState before, after;
  Index gradient_begin =
      0;  ///< position of the first element of `gradient`: that of the rank's shard where gradients are sharded
  std::vector<float> gradient;  ///< summed over ranks, by token: what the optimizer was given

  /// Gives all members to an archive, in the order of the file.
  template <class Archive>
  void members(Archive& archive) {
    archive(step, before, after, gradient_begin, gradient);
  }
};

/// What one rank recorded. Loss and checksum of step i stand at i − `first_step`.
struct TrainingTrace {
  /// The rank, and how many there are.
  int rank = 0, size = 1;
  Index first_step = 1;                  ///< later where training was resumed
  std::vector<double> losses;            ///< mean over the tokens of all ranks, in nats a token
  std::vector<std::uint64_t> checksums;  ///< of the weights that the step's losses were computed with
  std::vector<AuditedStep> audited;
  TrainingState last;  ///< after the last step

  /// Gives all members to an archive, in the order of the file.
  template <class Archive>
  void members(Archive& archive) {
    archive(rank, size, first_step, losses, checksums, audited, last);
  }
};

/// A checksum of the bits: equal where they are, else different but for a chance of 2⁻⁶⁴.
[[nodiscard]] inline std::uint64_t bits_checksum(const std::vector<float>& values) {
  return detail::fowler_noll_vo_1a({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

/// The mean over the last tenth of the steps, at least one. Precondition: there are losses.
[[nodiscard]] inline double final_loss(const std::vector<double>& losses) {
  const std::size_t count = losses.size() / 10 > 0 ? losses.size() / 10 : 1;
  double sum = 0;
  for (std::size_t i = losses.size() - count; i < losses.size(); ++i) sum += losses[i];
  return sum / static_cast<double>(count);
}

}  // namespace assay::inline v0
