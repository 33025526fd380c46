#include "assay/training/checkpoint.hpp"

#include <fstream>

#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"
#include "training/small_training.hpp"

using namespace assay;

namespace {

struct Alone {
  int rank() const { return 0; }
  int size() const { return 1; }
  std::string name() const { return "alone"; }
  void abort(std::string_view) {}
  Result<void> all_reduce(const CollectiveCall& call, Deadline) {
    std::memcpy(call.receive, call.send, static_cast<std::size_t>(call.count) * bytes_of(call.type));
    return {};
  }
};

TrainingCheckpoint some_checkpoint(int rank = 0, int size = 1, Index step = 3) {
  const TrainingOptions options = testing::small_training();
  TrainingCheckpoint checkpoint{rank, size, StateSharding::none, options.seed, initial_state(options, rank, size)};
  checkpoint.state.steps_done = step;
  checkpoint.state.next_sample = 39;
  checkpoint.state.first[4] = std::numeric_limits<float>::quiet_NaN();
  return checkpoint;
}

}  // namespace

TEST_CASE("a checkpoint comes back bit for bit") {
  const testing::TemporaryFolder folder;
  const TrainingCheckpoint written = some_checkpoint(2, 4);
  REQUIRE(write_checkpoint(folder.at("c"), written));
  const auto read = read_checkpoint(folder.at("c"));
  REQUIRE(read);
  CHECK(detail::to_bytes(read.value()) == detail::to_bytes(written));
  CHECK(read.value().rank == 2);
  CHECK(checkpoint_path("f", 40, 3, 4) == std::filesystem::path("f/step-00000040-rank-3-of-4"));
}

TEST_CASE("a checkpoint that is torn at any place, or altered in any bit, is refused") {
  const testing::TemporaryFolder folder;
  TrainingCheckpoint small = some_checkpoint();
  small.state.weights.resize(5), small.state.first.resize(5), small.state.second.resize(5);
  REQUIRE(write_checkpoint(folder.at("c"), small));
  const std::string whole = read_file(folder.at("c")).value();
  const auto refused = [&](const std::string& text) {
    std::ofstream(folder.at("d"), std::ios::binary) << text;
    const auto read = read_checkpoint(folder.at("d"));
    REQUIRE(!read);
    REQUIRE(read.error().kind == ErrorKind::malformed);
    return read.error().message;
  };
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    CHECK_THAT(refused(whole.substr(0, bytes)), testing::contains("is torn"));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string altered = whole;
    altered[at] = static_cast<char>(altered[at] ^ 1 << at % 8);
    static_cast<void>(refused(altered));
  }
  CHECK_THAT(refused(whole + "x"), testing::contains("is torn: it holds"));
  CHECK_THAT(refused("something else"), testing::contains("is not a checkpoint"));
  std::string altered = whole;
  altered.back() = static_cast<char>(altered.back() ^ 1);
  CHECK_THAT(refused(altered), testing::contains("checksum is wrong"));
  CHECK(read_checkpoint(folder.at("none")).error().kind == ErrorKind::not_found);
}

TEST_CASE("the latest checkpoint is the last that all ranks have whole") {
  const testing::TemporaryFolder folder;
  CHECK(latest_checkpoint(folder.path / "none", 2) == 0);
  CHECK(latest_checkpoint(folder.path, 2) == 0);
  for (const Index step : {10, 20, 30})
    for (const int rank : {0, 1}) {
      if (step == 30 && rank == 1) continue;  // killed before
      REQUIRE(write_checkpoint(checkpoint_path(folder.path, step, rank, 2), some_checkpoint(rank, 2, step)));
    }
  REQUIRE(write_checkpoint(checkpoint_path(folder.path, 90, 0, 1), some_checkpoint(0, 1, 90)));
  CHECK(latest_checkpoint(folder.path, 2) == 20);
  CHECK(latest_checkpoint(folder.path, 1) == 90);
  std::filesystem::resize_file(checkpoint_path(folder.path, 20, 1, 2), 100);
  CHECK(latest_checkpoint(folder.path, 2) == 10);
}

TEST_CASE("a checkpoint of another training is refused, and each piece can be left out") {
  const testing::TemporaryFolder folder;
  AnyCollective collective{Alone{}};
  const auto refused = [&](TrainingCheckpoint checkpoint) {
    REQUIRE(write_checkpoint(checkpoint_path(folder.path, 3, 0, 1), checkpoint));
    DataParallelTrainer trainer(collective, testing::small_training());
    const auto resumed = resume(trainer, 0, 1, folder.path, 3);
    CHECK(trainer.state().steps_done == (resumed ? 3 : 0));
    return resumed ? std::string() : resumed.error().message;
  };
  CHECK(refused(some_checkpoint()) == "");
  CHECK_THAT(refused(some_checkpoint(1, 4)), testing::contains("is of rank 1 of 4; this training is of 0 of 1"));
  CHECK_THAT(refused(some_checkpoint(0, 1, 7)), testing::contains("is of step 7; this training is of 3"));
  TrainingCheckpoint other = some_checkpoint();
  other.seed = 8;
  CHECK_THAT(refused(other), testing::contains("is of seed 8; this training is of 1"));
  other = some_checkpoint();
  other.sharding = StateSharding::weights;
  CHECK_THAT(refused(other), testing::contains("sharding weights; this training is of none"));
  other = some_checkpoint();
  other.state.weights.pop_back();
  CHECK_THAT(refused(other), testing::contains("parameters; this training is of"));
  for (const CheckpointPiece piece : all_checkpoint_pieces) {
    TrainingState state = some_checkpoint().state;
    state.weights[0] = state.first[0] = state.second[0] = 5;
    state.random_state = 1;
    CHECK(detail::to_bytes(without(state, piece, testing::small_training())) != detail::to_bytes(state));
    CHECK(!name_of(piece).empty());
  }
}
