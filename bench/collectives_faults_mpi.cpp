// components: mpi
//
// Which faults of collectives are caught and named over MPI: the table of bench_collectives_faults, by every process alike.
//
//   mpirun -n N bench_collectives_faults_mpi [--seeds N] [--right RUNS]
//
// Prints Markdown on rank 0. Exit code: 0 where every fault was caught and the library was never accused, 1 otherwise, 2 for
// wrong arguments or where MPI does not run.

#include "collectives_faults.hpp"

#include <charconv>
#include <string_view>

#include "assay/collectives/guarded_collective.hpp"
#include "assay/collectives/mpi.hpp"
#include "assay/collectives/mpi_coordinator.hpp"
#include "assay/collectives/mpi_session.hpp"

namespace {

using namespace collectives_faults;

int refuse(const std::string& why) {
  std::fprintf(stderr, "bench_collectives_faults_mpi: %s\n", why.c_str());
  return 2;
}

int run(const Options& options) {
  auto coordinator = MpiCoordinator::create(MPI_COMM_WORLD);
  if (!coordinator) return refuse(coordinator.error().message);
  Runtime runtime;
  runtime.name = "mpi";
  runtime.coordinator = coordinator.value().get();
  // MPI does not compare what ranks ask for: the guard does, before memory is corrupted.
  runtime.renew = [] {
    std::shared_ptr<Coordinator> own = MpiCoordinator::create(MPI_COMM_WORLD).value();
    return AnyCollective(GuardedCollective(MpiCollective::create(MPI_COMM_WORLD).value(), std::move(own)));
  };
  runtime.renew_unguarded = [] { return AnyCollective(MpiCollective::create(MPI_COMM_WORLD).value()); };
  const std::vector<Count> counts = fault_counts(runtime, options);
  const Count right = right_count(runtime, options);
  bool good = right.caught == 0;
  for (const Count& count : counts) good = good && count.caught == count.runs;
  if (coordinator.value()->rank() == 0) {
    print_faults(
        "MPI (" + MpiSession::library().second + ", " + std::to_string(coordinator.value()->size()) + " processes)",
        counts);
    std::cout << "\nThe library itself, without a fault: " << right.caught << " of " << right.runs
              << " runs accused.\n";
  }
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.patience = std::chrono::milliseconds(400);
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    std::uint64_t number = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
    if (value.empty() || read.ec != std::errc() || read.ptr != value.data() + value.size())
      return refuse("usage: [--seeds N] [--right RUNS]");
    if (name == "--seeds")
      options.seeds = number;
    else if (name == "--right")
      options.right_runs = number;
    else
      return refuse("usage: [--seeds N] [--right RUNS]");
  }
  auto session = MpiSession::open();
  return session ? run(options) : refuse(session.error().message);
}
