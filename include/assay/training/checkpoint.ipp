#pragma once

#include "assay/training/checkpoint.hpp"

#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE TrainingState without(TrainingState state, CheckpointPiece piece,
                                                 const TrainingOptions& options) {
  switch (piece) {
    case CheckpointPiece::weights: state.weights = initial_weights(options.model, options.seed); break;
    case CheckpointPiece::first_moments: std::fill(state.first.begin(), state.first.end(), 0.0f); break;
    case CheckpointPiece::second_moments: std::fill(state.second.begin(), state.second.end(), 0.0f); break;
    case CheckpointPiece::step: state.steps_done = 0; break;
    case CheckpointPiece::data_position: state.next_sample = 0; break;
    case CheckpointPiece::random_state: state.random_state = initial_state(options, 0, 1).random_state; break;
  }
  return state;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> write_checkpoint(const std::filesystem::path& path,
                                                         const TrainingCheckpoint& checkpoint) {
  const std::string content = detail::to_bytes(checkpoint);
  const std::uint64_t head[2] = {content.size(), detail::fowler_noll_vo_1a(content)};
  std::string text(detail::checkpoint_mark);
  text.append(reinterpret_cast<const char*>(head), sizeof head);
  return write_file(path, text + content);
}

ASSAY_DETAIL_HEADER_INLINE Result<TrainingCheckpoint> read_checkpoint(const std::filesystem::path& path) {
  auto read = read_file(path, "a checkpoint");
  if (!read) return read.propagate();
  const auto refuse = [&](const std::string& why) {
    return failure(ErrorKind::malformed, "'" + path.string() + "' " + why + "; go on from an earlier checkpoint");
  };
  std::string_view text = read.value();
  std::uint64_t head[2];
  if (text.substr(0, detail::checkpoint_mark.size()) != detail::checkpoint_mark.substr(0, text.size()))
    return refuse("is not a checkpoint");
  if (text.size() < detail::checkpoint_mark.size() + sizeof head)
    return refuse("is torn: it ends within its head, after " + std::to_string(text.size()) + " bytes");
  std::memcpy(head, text.data() + detail::checkpoint_mark.size(), sizeof head);
  text.remove_prefix(detail::checkpoint_mark.size() + sizeof head);
  if (text.size() != head[0])
    return refuse("is torn: it holds " + std::to_string(text.size()) + " of " + std::to_string(head[0]) + " bytes");
  if (detail::fowler_noll_vo_1a(text) != head[1]) return refuse("was altered: its checksum is wrong");
  TrainingCheckpoint checkpoint;
  if (!detail::from_bytes(text, checkpoint))
    return refuse("has a whole content that cannot be read: another version of the program wrote it");
  return checkpoint;
}

ASSAY_DETAIL_HEADER_INLINE Index latest_checkpoint(const std::filesystem::path& folder, int size) {
  std::error_code code;
  Index latest = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
    long long step = 0;
    int rank = -1, ranks = 0;
    const std::string name = entry.path().filename().string();
    if (std::sscanf(name.c_str(), "step-%lld-rank-%d-of-%d", &step, &rank, &ranks) != 3 || rank != 0 || ranks != size ||
        step <= latest)
      continue;
    bool whole = true;
    for (int each = 0; each < size && whole; ++each)
      whole = read_checkpoint(checkpoint_path(folder, step, each, size)).has_value();
    if (whole) latest = step;
  }
  return latest;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> resume(DataParallelTrainer& trainer, int rank, int size,
                                               const std::filesystem::path& folder, Index step) {
  const std::filesystem::path path = checkpoint_path(folder, step, rank, size);
  auto checkpoint = read_checkpoint(path);
  if (!checkpoint) return checkpoint.propagate();
  const TrainingCheckpoint& found = checkpoint.value();
  const auto refuse = [&](const std::string& field, const std::string& given, const std::string& expected) {
    return failure(ErrorKind::invalid,
                   "'" + path.string() + "' is of " + field + " " + given + "; this training is of " + expected);
  };
  if (found.rank != rank || found.size != size)
    return refuse("rank", std::to_string(found.rank) + " of " + std::to_string(found.size),
                  std::to_string(rank) + " of " + std::to_string(size));
  if (found.sharding != trainer.options().sharding)
    return refuse("the sharding", std::string(name_of(found.sharding)),
                  std::string(name_of(trainer.options().sharding)));
  if (found.seed != trainer.options().seed)
    return refuse("seed", std::to_string(found.seed), std::to_string(trainer.options().seed));
  if (found.state.weights.size() != trainer.state().weights.size() ||
      found.state.first.size() != trainer.state().first.size() ||
      found.state.second.size() != trainer.state().second.size())
    return refuse("a model of", std::to_string(found.state.weights.size()) + " parameters",
                  std::to_string(trainer.state().weights.size()));
  if (found.state.steps_done != step)
    return refuse("step", std::to_string(found.state.steps_done), std::to_string(step));
  trainer.restore(std::move(checkpoint).value().state);
  return {};
}

}  // namespace assay::inline v0
