#include "assay/training/check_convergence_parity.hpp"

#include "assay/training/in_process_training.hpp"
#include "testing/catch.hpp"
#include "training/small_training.hpp"

using namespace assay;

namespace {

ParityOptions small_parity() {
  ParityOptions options;
  options.training = testing::small_training();
  options.training.steps = 24;
  options.training.bucket_elements = 333;
  options.pairs = 4;
  return options;
}

TrainingSubject of(CollectiveAlgorithm algorithm, int ranks) {
  InProcessOptions world;
  world.algorithm = algorithm;
  return in_process_training(ranks, world);
}

std::string rule(const Outcome& outcome, std::size_t row) {
  return outcome.tables.at(1).rows.at(row).at(1);
}

}  // namespace

TEST_CASE("the same order of sums gives the same bits: run to run, and as one process adds up") {
  ParityOptions options = small_parity();
  options.pairs = 2;
  options.must_be_bitwise = true;
  for (const int ranks : {2, 3, 4, 8}) {
    const Outcome again =
        check_convergence_parity(of(CollectiveAlgorithm::tree, ranks), options, of(CollectiveAlgorithm::tree, ranks));
    INFO(again.reason);
    CHECK(again.verdict == Verdict::pass);
    CHECK(again.label("parity") == "bitwise");
    const Outcome ring = check_convergence_parity(of(CollectiveAlgorithm::ring, ranks), options,
                                                  serial_training(ranks, GradientOrder::ring));
    INFO(ring.reason);
    CHECK(ring.verdict == Verdict::pass);
    CHECK(ring.label("parity") == "bitwise");
  }
  const Outcome other = check_convergence_parity(of(CollectiveAlgorithm::ring, 4), options);
  CHECK(other.verdict == Verdict::fail);
  CHECK_THAT(other.reason, testing::contains("though the same order of sums was promised"));
}

TEST_CASE("other orders, algorithms, numbers of ranks and gradients in bfloat16 are equivalent") {
  for (const CollectiveAlgorithm algorithm : all_collective_algorithms)
    for (const int ranks : {1, 3, 8}) {
      if (ranks == 3 && algorithm != CollectiveAlgorithm::ring) continue;
      ParityOptions options = small_parity();
      if (ranks == 8) options.training.gradient_type = ElementType::bfloat16;
      const Outcome outcome = check_convergence_parity(of(algorithm, ranks), options);
      INFO(outcome.id << ": " << outcome.reason);
      CHECK(outcome.verdict == Verdict::pass);
      CHECK(outcome.label("parity") == (ranks == 1 ? "bitwise" : "statistical"));
      CHECK(rule(outcome, 0) == "equivalent");
      CHECK(outcome.tables[0].rows.size() == 4);
      REQUIRE(outcome.series.size() >= 3);
      CHECK(outcome.measurement("worst_error_ratio").value() < 1);
    }
}

TEST_CASE(
    "every fault of data-parallel training fails and is named, most of them though losses alone would let them pass") {
  int missed_by_tests = 0, missed_by_megatron = 0;
  for (const TrainingFault fault : all_training_faults) {
    if (fault == TrainingFault::shard_off_by_one || fault == TrainingFault::missing_all_gather) continue;
    ParityOptions options = small_parity();
    options.training.fault = fault;
    const Outcome outcome = check_convergence_parity(of(CollectiveAlgorithm::ring, 4), options);
    INFO(name_of(fault) << ": " << outcome.reason);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.label("named") == name_of(fault));
    CHECK(!outcome.diagnosis.empty());
    missed_by_tests += rule(outcome, 0) == "equivalent" ? 1 : 0;
    missed_by_megatron += rule(outcome, 1) == "accepted" ? 1 : 0;
  }
  CHECK(missed_by_tests > 0);
  CHECK(missed_by_megatron > 0);
}

TEST_CASE("what cannot be decided is no pass") {
  ParityOptions options = small_parity();
  options.pairs = 1;
  Outcome outcome = check_convergence_parity(of(CollectiveAlgorithm::ring, 4), options);
  CHECK(outcome.verdict == Verdict::inconclusive);
  CHECK_THAT(outcome.reason, testing::contains("take more seeds"));
  options.pairs = 3;
  options.relative_margin = 1e-9;
  outcome = check_convergence_parity(of(CollectiveAlgorithm::ring, 4), options);
  CHECK(outcome.verdict != Verdict::pass);

  options = small_parity();
  options.training.audited_first = options.training.audited_period = 0;
  outcome = check_convergence_parity(of(CollectiveAlgorithm::ring, 4), options);
  CHECK(outcome.verdict == Verdict::inconclusive);
  CHECK_THAT(outcome.reason, testing::contains("set audited_first"));

  options = small_parity();
  options.training.optimizer.learning_rate = 1e30;
  outcome = check_convergence_parity(of(CollectiveAlgorithm::ring, 4), options);
  CHECK(outcome.verdict == Verdict::error);
  CHECK_THAT(outcome.reason, testing::contains("not finite"));
  CHECK_THROWS_AS(check_convergence_parity(of(CollectiveAlgorithm::ring, 4),
                                           [] {
                                             ParityOptions none;
                                             none.pairs = 0;
                                             return none;
                                           }()),
                  Misuse);
}

TEST_CASE("a subject that fails is an error, and one that cannot is unsupported") {
  TrainingSubject subject{"broken", 2, [](const TrainingOptions&) -> Result<std::vector<TrainingTrace>> {
                            return failure(ErrorKind::timed_out, "rank 1 did not come");
                          }};
  Outcome outcome = check_convergence_parity(subject, small_parity());
  CHECK(outcome.verdict == Verdict::error);
  CHECK(outcome.reason == "training by broken failed: rank 1 did not come");
  subject.train = [](const TrainingOptions&) -> Result<std::vector<TrainingTrace>> {
    return failure(ErrorKind::unsupported, "broken has no all_reduce");
  };
  CHECK(check_convergence_parity(subject, small_parity()).verdict == Verdict::unsupported);
  subject.train = [](const TrainingOptions&) -> Result<std::vector<TrainingTrace>> {
    return std::vector<TrainingTrace>{};
  };
  CHECK(check_convergence_parity(subject, small_parity()).verdict == Verdict::error);
  subject.train = [](const TrainingOptions& options) -> Result<std::vector<TrainingTrace>> {
    auto traces = in_process_training(2).train(options);
    for (TrainingTrace& trace : traces.value()) trace.losses.back() = std::nan("");
    return traces;
  };
  outcome = check_convergence_parity(subject, small_parity());
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, testing::contains("losses are not finite with seed 1"));
}
