#include "assay/training/check_resume.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"
#include "training/in_process.hpp"
#include "training/small_training.hpp"

using namespace assay;

namespace {

constexpr int ranks = 3;

/// Trains on three ranks; each goes on from `begin` where it gives a state, and tells `after_step` of every step that
/// it has done.
std::vector<TrainingTrace> trained(const TrainingOptions& options,
                                   const std::function<void(DataParallelTrainer&, int)>& begin,
                                   const std::function<void(DataParallelTrainer&, int)>& after_step = {}) {
  std::vector<TrainingTrace> traces(ranks);
  testing::on_ranks(ranks, [&](AnyCollective& collective, Coordinator&) {
    const int rank = collective.rank();
    DataParallelTrainer trainer(collective, options);
    if (begin) begin(trainer, rank);
    while (trainer.state().steps_done < options.steps) {
      trainer.step().value();
      if (after_step) after_step(trainer, rank);
    }
    traces[static_cast<std::size_t>(rank)] = trainer.trace();
  });
  return traces;
}

}  // namespace

TEST_CASE(
    "training that is killed and resumed from its checkpoints is the training that was not, however its state is "
    "sharded") {
  for (const StateSharding sharding : all_state_shardings) {
    TrainingOptions options = testing::small_training();
    options.steps = 16;
    options.sharding = sharding;
    const testing::TemporaryFolder folder;
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::close(ends[0]);
      TrainingOptions endless = options;
      endless.steps = 1 << 20;
      try {
        static_cast<void>(trained(endless, {}, [&](DataParallelTrainer& trainer, int rank) {
          if (!save_checkpoint(trainer, rank, ranks, folder.path)) ::_exit(2);
          const char done = static_cast<char>(trainer.state().steps_done);
          if (rank == 0 && ::write(ends[1], &done, 1) != 1) ::_exit(3);
        }));
      } catch (...) {
      }
      ::_exit(1);
    }
    ::close(ends[1]);
    for (char done = 0; done < 6;)
      if (::read(ends[0], &done, 1) != 1) break;
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    ::close(ends[0]);
    REQUIRE(WIFSIGNALED(status));

    Index step = latest_checkpoint(folder.path, ranks);
    REQUIRE(step >= 5);
    step = std::min<Index>(step, options.steps - 2);  // the child may have been far ahead
    const auto whole = trained(options, {});
    const auto resumed = trained(options, [&](DataParallelTrainer& trainer, int rank) {
      resume(trainer, rank, ranks, folder.path, step).value();
    });
    const Outcome outcome = check_resume("in_process.ring", options, whole, resumed);
    INFO(outcome.reason);
    CHECK(outcome.verdict == Verdict::pass);
    CHECK(outcome.measurement("resumed_after") == static_cast<double>(step));
    CHECK(outcome.series.size() == 2);
  }
}

TEST_CASE("what is not restored is found and named") {
  TrainingOptions options = testing::small_training();
  options.steps = 16;
  std::vector<TrainingState> at(ranks);
  const auto whole = trained(options, {}, [&](DataParallelTrainer& trainer, int rank) {
    if (trainer.state().steps_done == 7) at[static_cast<std::size_t>(rank)] = trainer.state();
  });
  for (const CheckpointPiece piece : all_checkpoint_pieces) {
    std::vector<Index> steps(ranks);
    const auto resumed = trained(options, [&](DataParallelTrainer& trainer, int rank) {
      TrainingState state = without(at[static_cast<std::size_t>(rank)], piece, options);
      steps[static_cast<std::size_t>(rank)] = state.steps_done;
      trainer.restore(std::move(state));
    });
    for (const Index step : steps) CHECK((step == 7 || piece == CheckpointPiece::step));
    std::vector<TrainingTrace> cut = resumed;
    if (piece ==
        CheckpointPiece::step)  // it believes in steps 1 to 16; those that the whole training has are the first nine
      for (TrainingTrace& trace : cut) {
        trace.first_step = 8;
        trace.losses.resize(9);
        trace.checksums.resize(9);
      }
    const Outcome outcome = check_resume("in_process.ring", options, whole, cut);
    INFO(name_of(piece) << ": " << outcome.reason);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.label("named") == name_of(piece));
    CHECK_THAT(outcome.reason, testing::contains("not restored: "));
  }
  const auto both = trained(options, [&](DataParallelTrainer& trainer, int rank) {
    trainer.restore(without(without(at[static_cast<std::size_t>(rank)], CheckpointPiece::first_moments, options),
                            CheckpointPiece::second_moments, options));
  });
  CHECK(check_resume("in_process.ring", options, whole, both).label("named") == "first_moments, second_moments");
}

TEST_CASE("a difference at the end alone fails, one rank's does, and traces that do not fit are errors") {
  TrainingOptions options = testing::small_training();
  options.steps = 6;
  std::vector<TrainingState> at(ranks);
  const auto whole = trained(options, {}, [&](DataParallelTrainer& trainer, int rank) {
    if (trainer.state().steps_done == 4) at[static_cast<std::size_t>(rank)] = trainer.state();
  });
  const auto resumed = trained(
      options, [&](DataParallelTrainer& trainer, int rank) { trainer.restore(at[static_cast<std::size_t>(rank)]); });
  REQUIRE(check_resume("a", options, whole, resumed).verdict == Verdict::pass);
  auto changed = resumed;
  changed[2].last.second[0] += 1;
  Outcome outcome = check_resume("a", options, whole, changed);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, testing::contains("rank 2: the state at the end"));
  changed = resumed;
  changed[1].checksums[1] ^= 1;
  outcome = check_resume("a", options, whole, changed);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, testing::contains("rank 1: from step 6 on"));
  changed = resumed;
  changed.pop_back();
  CHECK(check_resume("a", options, whole, changed).verdict == Verdict::error);
  changed = resumed;
  changed[1].losses.pop_back();
  CHECK(check_resume("a", options, whole, changed).verdict == Verdict::error);
  changed = resumed;
  changed[1].first_step = 4;
  CHECK(check_resume("a", options, whole, changed).verdict == Verdict::error);
  CHECK(check_resume("a", options, {}, {}).verdict == Verdict::error);
  CHECK(check_resume("a", options, whole, whole).verdict == Verdict::error);  // begun anew
}
