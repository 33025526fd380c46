#include "training.hpp"

#include <cstdio>

#ifdef ASSAY_HAS_MPI

#include "assay/collectives/mpi.hpp"
#include "assay/collectives/mpi_coordinator.hpp"
#include "assay/collectives/mpi_session.hpp"

int run_over_mpi(const Request& request) {
  const auto refuse = [](const assay::Error& error) {
    std::fprintf(stderr, "training: %s\n", error.message.c_str());
    return 2;
  };
  auto session = assay::MpiSession::open();
  if (!session) return refuse(session.error());
  auto coordinator = assay::MpiCoordinator::create(MPI_COMM_WORLD);
  if (!coordinator) return refuse(coordinator.error());
  auto mpi = assay::MpiCollective::create(MPI_COMM_WORLD);
  if (!mpi) return refuse(mpi.error());
  assay::AnyCollective collective(std::move(mpi).value());
  const int rank = collective.rank(), size = collective.size();
  std::vector<assay::Outcome> outcomes = judge(assay::collective_training(collective, *coordinator.value()), request);
  if (rank != 0) return 0;  // every rank has judged the same traces
  return show(std::move(outcomes), request, "mpirun -n " + std::to_string(size) + " training --mpi");
}

#else

int run_over_mpi(const Request&) {
  std::fputs("training: MPI was not found when this program was built; install libopenmpi-dev and build it again\n",
             stderr);
  return 2;
}

#endif
