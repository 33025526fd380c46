#include "assay/collectives/faults/try_fault.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "assay/collectives/faults/in_process_faults.hpp"
#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "testing/catch.hpp"
#include "testing/under_sanitizer.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// What rank 0 was told of each trial; all ranks are told the same.
std::vector<FaultFinding> tried(const std::vector<FaultTrial>& trials, int ranks,
                                const InProcessOptions& options = {}) {
  const InProcessWorld world(ranks, options);
  auto coordinators = in_process_coordinators(ranks);
  std::vector<std::vector<FaultFinding>> findings(static_cast<std::size_t>(ranks));
  run_ranks(world, [&](InProcessCollective& own) {
    const auto rank = static_cast<std::size_t>(own.rank());
    FaultyCollective faulty(own, {});
    for (const FaultTrial& trial : trials)
      findings[rank].push_back(try_fault(faulty, coordinators[rank], trial).value());
  });
  for (const auto& own : findings)
    for (std::size_t i = 0; i < trials.size(); ++i) CHECK(own[i].said == findings[0][i].said);
  return findings[0];
}

/// One trial over a communicator that is lost.
FaultFinding tried_once(const FaultTrial& trial, int ranks, const InProcessOptions& world_options,
                        const TrialOptions& options) {
  const InProcessWorld world(ranks, world_options);
  auto coordinators = in_process_coordinators(ranks);
  std::vector<FaultFinding> findings(static_cast<std::size_t>(ranks));
  run_ranks(world, [&](InProcessCollective& own) {
    const auto rank = static_cast<std::size_t>(own.rank());
    findings[rank] = try_fault(AnyCollective(own), coordinators[rank], trial, options).value();
  });
  return findings.front();
}

/// Every fault that leaves the communicator of use: caught whenever it alters anything, named but in `unnamed` trials
/// at most.
void check_table(int ranks, std::span<const ElementType> types, double least_named) {
  std::size_t all = 0, named = 0, to_tell = 0, told = 0;
  for (const CollectiveFault& fault : collective_faults()) {
    if (!keeps_communicator(fault)) continue;
    const std::vector<FaultTrial> trials = fault_trials(fault, ranks, types);
    const std::vector<FaultFinding> findings = tried(trials, ranks);
    std::size_t of_fault = 0, altered = 0;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (!findings[i].took_effect) continue;
      ++altered;
      CAPTURE(fault.name, trials[i].problem.id("in_process", ranks), trials[i].injection.rank, findings[i].said);
      CHECK(findings[i].caught);
      CHECK_FALSE(findings[i].guilty_wrong);
      const bool message = trials[i].problem.operation == CollectiveOperation::send_receive;  // which has two ends
      if (findings[i].named && blamed_rank(trials[i]) >= 0) {
        CHECK((findings[i].guilty_told || findings[i].guilty_suspected));
        to_tell += message ? 0 : 1;
        told += !message && findings[i].guilty_told ? 1 : 0;
      }
      of_fault += findings[i].named ? 1 : 0;
    }
    CAPTURE(fault.name, of_fault, altered);
    CHECK(altered > 0);
    CHECK(of_fault * 10 >= altered * 8);
    all += altered;
    named += of_fault;
  }
  CAPTURE(named, all);
  CHECK(static_cast<double>(named) >= least_named * static_cast<double>(all));
  CAPTURE(told, to_tell);
  CHECK(told * 100 >= to_tell * 80);
}

/// What the check says of a fault within an algorithm.
Outcome checked_inside(const FaultTrial& trial, CollectiveAlgorithm algorithm, int ranks,
                       std::atomic<std::uint64_t>& effects) {
  InProcessOptions options;
  options.algorithm = algorithm;
  options.ranks_per_node = 2;
  options.chunk_bytes = 256;
  options.hooks = in_process_hooks(trial.injection, ranks, &effects);
  const InProcessWorld world(ranks, options);
  auto coordinators = in_process_coordinators(ranks);
  Outcome outcome;
  run_ranks(world, [&](InProcessCollective& own) {
    AnyCollective any(own);
    Outcome mine =
        check_collective(any, coordinators[static_cast<std::size_t>(own.rank())], trial.problem, trial.options);
    if (own.rank() == 0) outcome = std::move(mine);
  });
  return outcome;
}

}  // namespace

TEST_CASE("every fault of values, memory and order is caught in every operation that it fits, and named",
          "[collectives]") {
  constexpr std::array types{ElementType::float32, ElementType::int32};
  check_table(4, types, 0.995);
}

TEST_CASE("of few elements, of few bits, of numbers that cancel: no innocent rank is ever named", "[collectives]") {
  constexpr std::array types{ElementType::int8, ElementType::float32, ElementType::float8_e5m2};
  std::size_t wrong = 0, suspected = 0, told = 0;
  for (const CollectiveFault& fault : collective_faults()) {
    if (!keeps_communicator(fault) || fault.symptom == FaultSymptom::order || fault.name == "intermittent_bit_flip" ||
        fault.name == "early_barrier_exit")
      continue;
    std::vector<FaultTrial> trials;
    for (FaultTrial trial : fault_trials(fault, 4, types)) {
      trial.problem.count = 1 + static_cast<Index>(trials.size() % 4);
      if (reduces(trial.problem.operation) && trial.problem.data == CollectiveDataKind::decode)
        trial.problem.data = static_cast<CollectiveDataKind>(trials.size() % 5);
      trials.push_back(trial);
    }
    const std::vector<FaultFinding> findings = tried(trials, 4);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      CAPTURE(fault.name, trials[i].problem.id("in_process", 4), trials[i].problem.seed, findings[i].said);
      CHECK_FALSE(findings[i].guilty_wrong);
      wrong += findings[i].guilty_wrong ? 1 : 0;
      told += findings[i].guilty_told ? 1 : 0;
      suspected += findings[i].guilty_suspected ? 1 : 0;
    }
  }
  CHECK(wrong == 0);
  CHECK(told > 100);
  CHECK(suspected > 100);
}

TEST_CASE("of 2, 3, 5 and 8 ranks no innocent one is named, whatever the numbers are", "[.long]") {
  constexpr std::array types{ElementType::int8,    ElementType::float32,       ElementType::bfloat16,
                             ElementType::float16, ElementType::float8_e4m3fn, ElementType::float8_e5m2,
                             ElementType::float64};
  for (const int ranks : {2, 3, 5, 8}) {
    std::size_t told = 0, suspected = 0;
    for (const char* name : {"rank_dropped", "chunk_dropped", "contribution_duplicated", "duplicate_and_drop",
                             "stale_input", "ranks_permuted"}) {
      std::vector<FaultTrial> trials;
      for (std::size_t count : {1u, 3u, 300u})
        for (std::size_t kind = 0; kind < 5; ++kind)
          for (FaultTrial trial : fault_trials(*collective_fault_named(name), ranks, types, kind)) {
            if (!reduces(trial.problem.operation) && kind > 0) continue;  // which have one kind of data
            trial.problem.count = static_cast<Index>(count);
            if (reduces(trial.problem.operation)) trial.problem.data = static_cast<CollectiveDataKind>(kind);
            trials.push_back(trial);
          }
      const std::vector<FaultFinding> findings = tried(trials, ranks);
      for (std::size_t i = 0; i < trials.size(); ++i) {
        CAPTURE(name, trials[i].problem.id("in_process", ranks), trials[i].injection.rank, findings[i].said);
        CHECK_FALSE(findings[i].guilty_wrong);
        told += findings[i].guilty_told ? 1 : 0;
        suspected += findings[i].guilty_suspected ? 1 : 0;
      }
    }
    CAPTURE(ranks, told, suspected);
    CHECK(told > 300);
    CHECK(suspected > 300);
  }
}

TEST_CASE("what an algorithm of 2, 3, 5 or 8 ranks loses or adds twice is never an innocent rank's", "[.long]") {
  constexpr std::array types{ElementType::float32, ElementType::int32};
  for (const int ranks : {2, 3, 5, 8})
    for (const char* name : {"chunk_dropped", "contribution_duplicated"})
      for (const CollectiveAlgorithm algorithm : all_collective_algorithms) {
        std::size_t hit = 0, told = 0, suspected = 0;
        for (const FaultTrial& trial : fault_trials(*collective_fault_named(name), ranks, types)) {
          if (!reduces(trial.problem.operation) || trial.problem.reduction == ReductionOperator::minimum ||
              trial.problem.reduction == ReductionOperator::maximum)
            continue;
          std::atomic<std::uint64_t> effects{0};
          const Outcome outcome = checked_inside(trial, algorithm, ranks, effects);
          if (effects == 0) continue;
          const FaultFinding finding = finding_of(trial, outcome);
          CAPTURE(outcome.id, name, trial.injection.rank, outcome.reason);
          ++hit;
          CHECK(finding.caught);
          CHECK_FALSE(finding.guilty_wrong);
          told += finding.guilty_told ? 1 : 0;
          suspected += finding.guilty_suspected ? 1 : 0;
        }
        CAPTURE(ranks, name, name_of(algorithm), hit, told, suspected);
        CHECK(hit > 0);
        CHECK(told > 0);
      }
}

TEST_CASE("every fault is caught on every type, over 5 ranks", "[.long]") {
  check_table(5, all_element_types, 0.99);
}

TEST_CASE(
    "ranks that hang, crash or call something else are named, over a runtime that compares calls and one that does not",
    "[collectives]") {
  constexpr std::array types{ElementType::float32};
  TrialOptions options;
  options.patience = std::chrono::milliseconds(under_sanitizer() ? 400 : 40);
  InProcessOptions unchecked;
  unchecked.check_calls = false;
  int trials = 0;
  for (const CollectiveFault& fault : collective_faults()) {
    if (keeps_communicator(fault) || fault.symptom == FaultSymptom::time) continue;
    for (const FaultTrial& trial : fault_trials(fault, 4, types))
      for (const InProcessOptions& world : {InProcessOptions(), unchecked}) {
        const FaultFinding finding = tried_once(trial, 4, world, options);
        CAPTURE(fault.name, trial.problem.id("in_process", 4), world.check_calls, finding.said);
        ++trials;
        CHECK(finding.caught);
        CHECK(finding.named);
        CHECK_FALSE(finding.guilty_wrong);
        const bool pair =
            trial.problem.operation == CollectiveOperation::send_receive && fault.symptom == FaultSymptom::mismatch;
        CHECK(finding.guilty_told != pair);  // of a message with unequal ends both are told
      }
  }
  CHECK(trials == 2 * (9 + 10 + 9 + 11 + 11));
}

TEST_CASE("a slow rank and a slow link are found and told from each other", "[collectives]") {
  constexpr std::array types{ElementType::float32};
  for (const char* name : {"slow_rank", "slow_link"})
    for (const std::uint64_t seed : {0u, 3u}) {
      FaultTrial trial = fault_trials(*collective_fault_named(name), 4, types, seed).front();
      // Threads that wait for a busy processor are slow, too: the delay grows until it stands out.
      FaultFinding finding;
      for (trial.injection.delay = std::chrono::milliseconds(4);
           !finding.named && trial.injection.delay < std::chrono::milliseconds(200); trial.injection.delay *= 2)
        finding = tried_once(trial, 4, {}, {});
      CAPTURE(name, trial.injection.rank, finding.said);
      CHECK(finding.caught);
      CHECK(finding.named);
      CHECK(finding.guilty_told);
    }
}

TEST_CASE("faults within all four algorithms are caught, and named as they are from without", "[collectives]") {
  constexpr std::array types{ElementType::float32, ElementType::int32};
  for (const std::string_view name : faults_inside_in_process) {
    const CollectiveFault fault = *collective_fault_named(name);
    if (fault.fault_class == FaultClass::progress) continue;
    for (const CollectiveAlgorithm algorithm : all_collective_algorithms) {
      int hit = 0, told = 0;
      for (FaultTrial trial : fault_trials(fault, 4, types)) {
        if (!reduces(trial.problem.operation) || trial.problem.reduction == ReductionOperator::maximum) continue;
        if (name == "intermittent_bit_flip") trial.injection.rate = 0.2, trial.options.calls = 50;
        std::atomic<std::uint64_t> effects{0};
        const Outcome outcome = checked_inside(trial, algorithm, 4, effects);
        if (effects == 0) continue;
        CAPTURE(outcome.id, trial.injection.fault, trial.injection.rank, outcome.reason);
        ++hit;
        CHECK(outcome.verdict == Verdict::fail);
        const std::vector<std::string> names = faults_that_look_like(trial);
        CHECK(std::find(names.begin(), names.end(), outcome.label("fault")) != names.end());
        if (name != "chunk_dropped" && name != "contribution_duplicated") continue;
        const std::string guilty = std::to_string(trial.injection.rank), suspects = outcome.label("suspect_ranks");
        if (outcome.label("guilty_rank").empty()) {  // what one message lost, its sender or its receiver lost
          CHECK(suspects.size() <= std::string("0, 1").size());
          CHECK(suspects.find(guilty) != std::string::npos);
        } else {
          CHECK(outcome.label("guilty_rank") == guilty);
          ++told;
        }
      }
      CAPTURE(name, name_of(algorithm), hit, told);
      CHECK(hit > 0);
      if (name == "chunk_dropped" || name == "contribution_duplicated") CHECK(told * 2 >= hit);
    }
  }
}

TEST_CASE(
    "a rank that leaves a barrier early is found within the algorithm as well; a hanging and a crashed rank break it",
    "[collectives]") {
  FaultTrial trial;
  trial.problem.operation = CollectiveOperation::barrier;
  trial.injection.rank = 2;
  trial.injection.fault = "early_barrier_exit";
  std::atomic<std::uint64_t> effects{0};
  Outcome outcome = checked_inside(trial, CollectiveAlgorithm::ring, 4, effects);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "early_barrier_exit");
  trial.options.timeout = std::chrono::milliseconds(500);
  for (const char* fault : {"rank_hang", "rank_crash"}) {
    trial.injection.fault = fault;
    trial.problem.operation = CollectiveOperation::all_reduce;
    outcome = checked_inside(trial, CollectiveAlgorithm::tree, 4, effects);
    CAPTURE(fault, outcome.reason);
    CHECK(outcome.verdict != Verdict::pass);
    CHECK(outcome.reason.find("rank 2") != std::string::npos);
  }
}

TEST_CASE("ranks that come late, but come, and what has no fault are not accused", "[collectives]") {
  FaultTrial trial;
  trial.injection.rank = 2;
  TrialOptions options;
  options.patience = std::chrono::seconds(20);
  for (const CollectiveOperation operation : all_collective_operations) {
    trial.problem.operation = operation;
    const FaultFinding finding = tried_once(trial, 4, {}, options);
    CAPTURE(name_of(operation), finding.said);
    CHECK_FALSE(finding.caught);
  }
  trial.injection.fault = "rank_dropped";
  trial.injection.rate = 1e-9;
  const FaultFinding finding = tried_once(trial, 4, {}, options);
  CHECK_FALSE(finding.took_effect);
  CHECK_FALSE(finding.caught);
}

TEST_CASE("right algorithms are never accused, whatever their order and their messages", "[.long]") {
  std::uint64_t runs = 0;
  for (const CollectiveAlgorithm algorithm : all_collective_algorithms)
    for (const int ranks : {2, 4, 5, 7})
      for (const std::size_t chunk_bytes : {std::size_t{64}, std::size_t{1} << 16}) {
        InProcessOptions options;
        options.algorithm = algorithm;
        options.ranks_per_node = 2;
        options.chunk_bytes = chunk_bytes;
        const InProcessWorld world(ranks, options);
        auto coordinators = in_process_coordinators(ranks);
        std::vector<std::string> accused;
        run_ranks(world, [&](InProcessCollective& own) {
          AnyCollective right(own);
          const auto rank = static_cast<std::size_t>(own.rank());
          for (std::uint64_t number = 0; number < 400; ++number) {
            const std::uint64_t bits = detail::mixed(number, static_cast<std::uint64_t>(ranks), chunk_bytes);
            CollectiveProblem problem;
            problem.operation = all_collective_operations[bits % 10];
            problem.type = all_element_types[bits / 16 % all_element_types.size()];
            problem.reduction = all_reductions[bits / 256 % all_reductions.size()];
            problem.count = static_cast<Index>(bits / 4096 % 3 == 0 ? bits / 16384 % 9 : bits / 16384 % 700);
            problem.root = static_cast<int>(bits / 65536 % static_cast<std::uint64_t>(ranks));
            problem.in_place = bits >> 40 & 1;
            problem.offset = static_cast<Index>(bits >> 41 & 3);
            problem.data = static_cast<CollectiveDataKind>((bits >> 48) % 6);
            problem.seed = number;
            const Outcome outcome = check_collective(right, coordinators[rank], problem, {.calls = 2});
            if (rank == 0 && outcome.verdict != Verdict::pass) accused.push_back(outcome.id + ": " + outcome.reason);
          }
        });
        runs += 400;
        CHECK(accused == std::vector<std::string>());
      }
  CHECK(runs >= 10000);
}
