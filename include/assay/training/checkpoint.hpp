#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "assay/report/read_file.hpp"
#include "assay/report/write_file.hpp"
#include "assay/training/data_parallel_trainer.hpp"
#include "assay/training/detail/byte_archive.hpp"

namespace assay::inline v0 {

/// What training goes on from after its processes have ended: one rank's state, and what it belongs to.
struct TrainingCheckpoint {
  /// The rank whose state it is, and how many there were.
  int rank = 0, size = 1;
  StateSharding sharding = StateSharding::none;
  std::uint64_t seed = 1;  ///< of the run
  TrainingState state;

  /// Gives all members to an archive, in the order of the file.
  template <class Archive>
  void members(Archive& archive) {
    archive(rank, size, sharding, seed, state);
  }
};

/// A part of a checkpoint: whoever does not restore it goes on from its value at the begin.
enum class CheckpointPiece { weights, first_moments, second_moments, step, data_position, random_state };

/// In the order of `CheckpointPiece`.
inline constexpr std::array<CheckpointPiece, 6> all_checkpoint_pieces{
    CheckpointPiece::weights, CheckpointPiece::first_moments, CheckpointPiece::second_moments,
    CheckpointPiece::step,    CheckpointPiece::data_position, CheckpointPiece::random_state};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(CheckpointPiece piece) noexcept {
  constexpr std::array<std::string_view, 6> names{"weights", "first_moments", "second_moments",
                                                  "step",    "data_position", "random_state"};
  return names[static_cast<std::size_t>(piece)];
}

/// The state as it is where that piece was not restored.
[[nodiscard]] TrainingState without(TrainingState state, CheckpointPiece piece, const TrainingOptions& options);

/// "<folder>/step-00000040-rank-3-of-4".
[[nodiscard]] inline std::filesystem::path checkpoint_path(const std::filesystem::path& folder, Index step, int rank,
                                                           int size) {
  char name[80];
  std::snprintf(name, sizeof name, "step-%08lld-rank-%d-of-%d", static_cast<long long>(step), rank, size);
  return folder / name;
}

namespace detail {

inline constexpr std::string_view checkpoint_mark = "assay-checkpoint/1\n";

}  // namespace detail

/// Writes a checkpoint whole or not at all, with its length and a checksum. The form is this machine's: bytes as they
/// lie in memory. Errors: those of `write_file`.
[[nodiscard]] Result<void> write_checkpoint(const std::filesystem::path& path, const TrainingCheckpoint& checkpoint);

/// Errors: those of `read_file`; `malformed`: not a checkpoint, torn, or altered: none of it is then used.
[[nodiscard]] Result<TrainingCheckpoint> read_checkpoint(const std::filesystem::path& path);

/// Writes this rank's state after the steps that it has done.
[[nodiscard]] inline Result<void> save_checkpoint(const DataParallelTrainer& trainer, int rank, int size,
                                                  const std::filesystem::path& folder) {
  return write_checkpoint(checkpoint_path(folder, trainer.state().steps_done, rank, size),
                          {rank, size, trainer.options().sharding, trainer.options().seed, trainer.state()});
}

/// The last step of which all ranks have a whole checkpoint in the folder; 0: there is none. Files that are torn or of
/// other worlds do not count. O(files · size of a file).
[[nodiscard]] Index latest_checkpoint(const std::filesystem::path& folder, int size);

/// Takes a rank's state of that step from the folder. Errors: those of `read_checkpoint`; `invalid`: it is of another
/// rank, number of ranks, sharding, seed or model.
[[nodiscard]] Result<void> resume(DataParallelTrainer& trainer, int rank, int size, const std::filesystem::path& folder,
                                  Index step);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/checkpoint.ipp"
#endif
