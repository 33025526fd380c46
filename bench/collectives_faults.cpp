// Which faults of collectives are caught and named, and how often right algorithms are accused, over ranks in one
// process.
//
//   bench_collectives_faults [--ranks N] [--seeds N] [--right RUNS]
//
// Prints Markdown; what is missed or wrongly accused is told on the error output. Exit code: 0 where every fault was
// caught and no right algorithm accused, 1 otherwise, 2 for wrong arguments.

#include "collectives_faults.hpp"

#include <charconv>
#include <string_view>

#include "assay/collectives/faults/in_process_faults.hpp"
#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"

namespace {

using namespace collectives_faults;

/// Fresh worlds for all ranks: the first that asks makes it.
class Worlds {
 public:
  Worlds(int size, InProcessOptions options)
      : size_(size), options_(std::move(options)), asked_(static_cast<std::size_t>(size)) {}
  AnyCollective next(int rank) {
    const std::lock_guard lock(mutex_);
    std::size_t& number = asked_[static_cast<std::size_t>(rank)];
    if (number == worlds_.size()) worlds_.emplace_back(size_, options_);
    return worlds_[number++].collective(rank);
  }

 private:
  int size_;
  InProcessOptions options_;
  std::mutex mutex_;
  std::vector<InProcessWorld> worlds_;
  std::vector<std::size_t> asked_;
};

/// Calls `body(runtime)` on all ranks and gives what rank 0 returned.
template <class Body>
auto on_ranks(int ranks, const InProcessOptions& options, const Body& body) {
  Worlds worlds(ranks, options);
  auto coordinators = in_process_coordinators(ranks);
  decltype(body(std::declval<const Runtime&>())) result;
  run_ranks(InProcessWorld(ranks), [&](InProcessCollective& own) {
    Runtime runtime;
    runtime.name = "in_process." + std::string(name_of(options.algorithm));
    runtime.renew = [&, rank = own.rank()] { return worlds.next(rank); };
    runtime.coordinator = &coordinators[static_cast<std::size_t>(own.rank())];
    auto mine = body(runtime);
    if (own.rank() == 0) result = std::move(mine);
  });
  return result;
}

/// Faults that come about within the algorithms: one row a fault and algorithm.
std::vector<Count> inside_counts(int ranks) {
  std::vector<Count> counts;
  for (const std::string_view name : faults_inside_in_process) {
    const auto fault = collective_fault_named(name);
    if (fault->fault_class == FaultClass::progress) continue;
    for (const CollectiveAlgorithm algorithm : all_collective_algorithms) {
      Count count{std::string(name) + ", " + std::string(name_of(algorithm))};
      const std::array types{ElementType::float32, ElementType::int32};
      for (const FaultTrial& trial : fault_trials(*fault, ranks, types)) {
        const bool chooses = trial.problem.reduction == ReductionOperator::minimum ||
                             trial.problem.reduction == ReductionOperator::maximum;
        if (!reduces(trial.problem.operation) || chooses) continue;  // an extreme need not change by what is left out
        InProcessOptions options;
        options.algorithm = algorithm;
        options.ranks_per_node = 2;
        options.chunk_bytes = 256;
        std::atomic<std::uint64_t> effects{0};
        options.hooks = in_process_hooks(trial.injection, ranks, &effects);
        const Outcome outcome = on_ranks(ranks, options, [&](const Runtime& runtime) {
          AnyCollective any = runtime.renew();
          return check_collective(any, *runtime.coordinator, trial.problem, trial.options);
        });
        FaultFinding finding = finding_of(trial, outcome);
        finding.took_effect = effects > 0;
        count.add(trial, finding, name.find("bit_flip") == std::string_view::npos);
      }
      if (count.runs > 0) counts.push_back(std::move(count));
    }
  }
  return counts;
}

bool all_caught(const std::vector<Count>& counts) {
  for (const Count& count : counts)
    if (count.caught != count.runs) return false;
  return true;
}

int usage() {
  std::fprintf(stderr, "usage: bench_collectives_faults [--ranks N] [--seeds N] [--right RUNS]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  int ranks = 4;
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    std::uint64_t number = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
    if (value.empty() || read.ec != std::errc() || read.ptr != value.data() + value.size() || number > 1'000'000)
      return usage();
    if (name == "--ranks" && number >= 3)
      ranks = static_cast<int>(number);
    else if (name == "--seeds")
      options.seeds = number;
    else if (name == "--right")
      options.right_runs = number;
    else
      return usage();
  }
  std::vector<Count> counts =
      on_ranks(ranks, {}, [&](const Runtime& runtime) { return fault_counts(runtime, options); });
  print_faults("ranks in one process (ring, " + std::to_string(ranks) + " ranks)", counts);
  bool good = all_caught(counts);
  counts = inside_counts(ranks);
  print_faults("ranks in one process, within the algorithms", counts);
  good = good && all_caught(counts);

  std::cout << "\n### Right algorithms\n\n| algorithm | ranks | runs | accused |\n|---|---|---|---|\n";
  for (const CollectiveAlgorithm algorithm : all_collective_algorithms)
    for (const int size : {ranks, ranks + 3}) {
      InProcessOptions how;
      how.algorithm = algorithm;
      how.ranks_per_node = 2;
      how.chunk_bytes = size == ranks ? 64 : std::size_t{64} << 10;
      Options part = options;
      part.right_runs = (options.right_runs + 7) / 8;
      const Count count = on_ranks(size, how, [&](const Runtime& runtime) { return right_count(runtime, part); });
      std::cout << "| " << name_of(algorithm) << " | " << size << " | " << count.runs << " | " << count.caught
                << " |\n";
      good = good && count.caught == 0;
    }
  return good ? 0 : 1;
}
