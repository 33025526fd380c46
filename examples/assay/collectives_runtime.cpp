#include "collectives_runtime.hpp"

#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/core/version.hpp"

#if defined(ASSAY_HAS_MPI)
#include "assay/collectives/mpi.hpp"
#include "assay/collectives/mpi_coordinator.hpp"
#include "assay/collectives/mpi_session.hpp"
#endif
#if defined(ASSAY_HAS_GLOO)
#include <gloo/rendezvous/hash_store.h>

#include "assay/collectives/gloo.hpp"
#endif
#if defined(ASSAY_HAS_NCCL)
#include "assay/collectives/nccl.hpp"
#elif defined(ASSAY_HAS_RCCL)
#include "assay/collectives/rccl.hpp"
#endif

namespace assay_program {

namespace {

assay::Result<int> with_threads(const CollectivesOptions& options, const RankWork& work) {
  assay::InProcessOptions settings;
  settings.ranks_per_node = options.ranks_per_node.value_or(8);
  if (!options.algorithm.empty()) {
    const auto algorithm = assay::collective_algorithm_named(options.algorithm);
    std::vector<std::string> known;
    for (const assay::CollectiveAlgorithm one : assay::all_collective_algorithms) known.emplace_back(name_of(one));
    if (!algorithm)
      return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("algorithm", options.algorithm, known));
    settings.algorithm = *algorithm;
  }
  const auto ranks = ranks_of(options, 4);
  if (!ranks) return ranks.propagate();
  const assay::InProcessWorld world(ranks.value()[0], settings);
  auto coordinators = assay::in_process_coordinators(world.size());
  std::atomic<int> exit_code{2};
  assay::run_ranks(world, [&](assay::InProcessCollective& end) {
    const int rank = end.rank();
    assay::AnyCollective collective(world.collective(rank));
    const int code = work(collective, coordinators[static_cast<std::size_t>(rank)]);
    if (rank == 0) exit_code = code;
  });
  return exit_code.load();
}

assay::Result<int> missing(const std::string& component, const std::string& needs) {
  return assay::failure(assay::ErrorKind::unsupported,
                        "--runtime " + component + ": this program was built without the component " + component +
                            " of Assay; build it where " + needs + " is installed");
}

#if defined(ASSAY_HAS_MPI)
assay::Result<int> with_mpi(const CollectivesOptions& options, const RankWork& work) {
  if (!options.ranks.empty())
    return assay::failure(assay::ErrorKind::invalid,
                          "--ranks is for ranks of one process; MPI has as many as mpirun -n started");
  auto session = assay::MpiSession::open();
  if (!session) return session.propagate();
  auto end = assay::MpiCollective::create(MPI_COMM_WORLD);
  if (!end) return end.propagate();
  auto coordinator = assay::MpiCoordinator::create(MPI_COMM_WORLD);
  if (!coordinator) return coordinator.propagate();
  assay::AnyCollective collective(std::move(end).value());
  return work(collective, *coordinator.value());
}
#else
assay::Result<int> with_mpi(const CollectivesOptions&, const RankWork&) {
  return missing("mpi", "MPI (on Debian and Ubuntu libopenmpi-dev)");
}
#endif

#if defined(ASSAY_HAS_GLOO) || defined(ASSAY_HAS_NCCL) || defined(ASSAY_HAS_RCCL)
/// How a thread gets its rank's end of a communicator.
using Connect = std::function<assay::Result<assay::AnyCollective>(assay::Coordinator& coordinator)>;

/// A thread a rank.
assay::Result<int> over_threads(int size, const Connect& connect, const RankWork& work) {
  auto coordinators = assay::in_process_coordinators(size);
  std::atomic<int> exit_code{2};
  std::mutex mutex;
  std::optional<assay::Error> trouble;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      assay::Coordinator& coordinator = coordinators[static_cast<std::size_t>(rank)];
      auto end = connect(coordinator);
      if (!end) {
        const std::lock_guard lock(mutex);
        if (!trouble) trouble = end.error();
        return;
      }
      const int code = work(end.value(), coordinator);
      if (rank == 0) exit_code = code;
    });
  for (std::thread& thread : threads) thread.join();
  if (trouble) return assay::failure(trouble->kind, trouble->message);
  return exit_code.load();
}
#endif

#if defined(ASSAY_HAS_GLOO)
assay::Result<int> with_gloo(const CollectivesOptions& options, const RankWork& work) {
  const auto ranks = ranks_of(options, 4);
  if (!ranks) return ranks.propagate();
  auto store = std::make_shared<gloo::rendezvous::HashStore>();
  const Connect connect = [&](assay::Coordinator& coordinator) -> assay::Result<assay::AnyCollective> {
    assay::GlooOptions settings;
    settings.host = "127.0.0.1";
    auto end = assay::GlooCollective::connect(coordinator.rank(), coordinator.size(), store, settings);
    if (!end) return end.propagate();
    return assay::AnyCollective(std::move(end).value());
  };
  return over_threads(ranks.value()[0], connect, work);
}
#else
assay::Result<int> with_gloo(const CollectivesOptions&, const RankWork&) {
  return missing("gloo", "Gloo (on Debian and Ubuntu libgloo-dev)");
}
#endif

#if defined(ASSAY_HAS_NCCL) || defined(ASSAY_HAS_RCCL)
#if defined(ASSAY_HAS_NCCL)
using DeviceCollective = assay::NcclCollective;
#else
using DeviceCollective = assay::RcclCollective;
#endif

/// Under mpirun a process a device, agreed on over MPI; else threads of this process, rank r on device r.
assay::Result<int> with_devices(const CollectivesOptions& options, const RankWork& work) {
  const auto connect = [](assay::Coordinator& coordinator, int device) -> assay::Result<assay::AnyCollective> {
    auto end = DeviceCollective::create(coordinator, device, assay::deadline_after(std::chrono::minutes(2)));
    if (!end) return end.propagate();
    return assay::AnyCollective(std::move(end).value());
  };
#if defined(ASSAY_HAS_MPI)
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr) {
    auto session = assay::MpiSession::open();
    if (!session) return session.propagate();
    auto coordinator = assay::MpiCoordinator::create(MPI_COMM_WORLD);
    if (!coordinator) return coordinator.propagate();
    int device = 0;
    for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"})
      if (const char* text = std::getenv(variable); text != nullptr) device = std::atoi(text);
    auto collective = connect(*coordinator.value(), device);
    if (!collective) return collective.propagate();
    return work(collective.value(), *coordinator.value());
  }
#endif
  const auto ranks = ranks_of(options, 1);
  if (!ranks) return ranks.propagate();
  return over_threads(
      ranks.value()[0], [&](assay::Coordinator& coordinator) { return connect(coordinator, coordinator.rank()); },
      work);
}
#endif

assay::Result<int> with_nccl([[maybe_unused]] const CollectivesOptions& options,
                             [[maybe_unused]] const RankWork& work) {
#if defined(ASSAY_HAS_NCCL)
  return with_devices(options, work);
#else
  return missing("nccl", "NCCL");
#endif
}

assay::Result<int> with_rccl([[maybe_unused]] const CollectivesOptions& options,
                             [[maybe_unused]] const RankWork& work) {
#if defined(ASSAY_HAS_RCCL) && !defined(ASSAY_HAS_NCCL)
  return with_devices(options, work);
#else
  return missing("rccl", "RCCL, and NCCL is not,");
#endif
}

}  // namespace

assay::Result<int> with_ranks(const CollectivesOptions& options, const RankWork& work) {
  if (options.runtime == "in_process") return with_threads(options, work);
  if (options.runtime == "mpi") return with_mpi(options, work);
  if (options.runtime == "gloo") return with_gloo(options, work);
  if (options.runtime == "nccl") return with_nccl(options, work);
  if (options.runtime == "rccl") return with_rccl(options, work);
  return assay::failure(assay::ErrorKind::not_found,
                        assay::unknown_name("runtime", options.runtime, {"in_process", "mpi", "gloo", "nccl", "rccl"}));
}

std::vector<RuntimeLibrary> runtime_libraries() {
  std::vector<RuntimeLibrary> libraries{{"in_process", "threads of this process", assay::version, ""},
                                        {"mpi", "MPI", "", "libopenmpi-dev openmpi-bin"},
                                        {"gloo", "Gloo", "", "libgloo-dev"},
                                        {"nccl", "NCCL", "", "NVIDIA's libnccl-dev"},
                                        {"rccl", "RCCL", "", "librccl-dev libamdhip64-dev"}};
#if defined(ASSAY_HAS_MPI)
  libraries[1].version = assay::MpiSession::library().second;
#endif
#if defined(ASSAY_HAS_GLOO)
  libraries[2].version = "compiled in";
#endif
#if defined(ASSAY_HAS_NCCL)
  libraries[3].version = "compiled in";
#elif defined(ASSAY_HAS_RCCL)
  libraries[4].version = "compiled in";
#endif
  return libraries;
}

void describe_runtime([[maybe_unused]] const std::string& runtime, [[maybe_unused]] assay::Environment& environment) {
#if defined(ASSAY_HAS_MPI)
  if (runtime == "mpi") assay::MpiSession::describe(environment);
#endif
}

}  // namespace assay_program
