// components: mpi
// What verifying every timed call of a sweep costs, over MPI; theory beside the sweep; how fast the cost models are.
//   mpirun -n 4 bench_collectives_sweep [--size 100MB] [--iterations 20] [--rounds 5] [--part verification|theory|models]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/measurement/sweep.hpp"
#include "assay/collectives/measurement/sweep_theory.hpp"
#include "assay/collectives/model/prediction.hpp"
#include "assay/collectives/mpi.hpp"
#include "assay/collectives/mpi_coordinator.hpp"
#include "assay/collectives/mpi_session.hpp"
#include "give_up.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

struct Arguments {
  double size = 100 * megabyte;
  unsigned iterations = 20;
  int rounds = 5;
  std::string part;
};

Arguments read(int count, char** arguments) {
  Arguments read;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string option = arguments[i];
    if (option == "--part") read.part = arguments[i + 1];
    if (option == "--size")
      read.size = value_of(parse_size(arguments[i + 1]));
    else if (option == "--iterations")
      read.iterations = static_cast<unsigned>(std::max(1, std::atoi(arguments[i + 1])));
    else if (option == "--rounds")
      read.rounds = std::max(1, std::atoi(arguments[i + 1]));
  }
  return read;
}

/// Verified and unverified sweeps by turns.
void verification(AnyCollective& collective, Coordinator& coordinator, const Arguments& arguments) {
  const bool tells = collective.rank() == 0;
  if (tells)
    std::printf(
        "\n### %u all-reduces of %.0f MB over %d processes, %d rounds by turns, medians\n\n| placement | wall time, "
        "unverified | verified "
        "| ratio | all-reduce, unverified | verified | ratio |\n|---|---|---|---|---|---|---|\n",
        arguments.iterations, arguments.size / megabyte, collective.size(), arguments.rounds);
  for (const bool in_place : {false, true}) {
    std::vector<double> wall[2], call[2];
    for (int round = -1; round < arguments.rounds; ++round)
      for (const bool verify : {false, true}) {
        SweepOptions options;
        options.sizes = {arguments.size};
        options.iterations = arguments.iterations;
        options.in_place = in_place;
        options.out_of_place = !in_place;
        options.verify = verify;
        const SweepResult result = value_of(sweep(collective, coordinator, options));
        const SweepPoint& point = result.points.at(0);
        if (point.error) give_up(point.error->message);
        if (point.wrong > 0) give_up(std::to_string(point.wrong) + " elements are wrong");
        if (round < 0) continue;  // memory is touched for the first time
        wall[verify].push_back(result.seconds);
        call[verify].push_back(point.seconds);
      }
    if (!tells) continue;
    std::printf("| %s | %.2f s | %.2f s | %.2f | %.1f ms | %.1f ms | %.2f |\n", in_place ? "in place" : "out of place",
                median(wall[0]), median(wall[1]), median(wall[1]) / median(wall[0]), 1e3 * median(call[0]),
                1e3 * median(call[1]), median(call[1]) / median(call[0]));
    std::printf("| … least, most | %.2f, %.2f | %.2f, %.2f | | %.1f, %.1f | %.1f, %.1f | |\n",
                *std::min_element(wall[0].begin(), wall[0].end()), *std::max_element(wall[0].begin(), wall[0].end()),
                *std::min_element(wall[1].begin(), wall[1].end()), *std::max_element(wall[1].begin(), wall[1].end()),
                1e3 * *std::min_element(call[0].begin(), call[0].end()),
                1e3 * *std::max_element(call[0].begin(), call[0].end()),
                1e3 * *std::min_element(call[1].begin(), call[1].end()),
                1e3 * *std::max_element(call[1].begin(), call[1].end()));
  }
}

/// A sweep beside what a link that was measured alone lets expect.
void theory(AnyCollective& collective, Coordinator& coordinator) {
  const SweepTheory theory = value_of(measured_theory(collective, coordinator, {}));
  SweepOptions options;
  options.operations = {CollectiveOperation::all_reduce, CollectiveOperation::all_gather,
                        CollectiveOperation::broadcast};
  options.least_bytes = 1024;
  options.most_bytes = 64 * 1048576.0;
  options.step_factor = 8;
  options.in_place = false;
  const SweepResult result = value_of(sweep(collective, coordinator, options));
  if (collective.rank() != 0) return;
  std::printf(
      "\n### Theory beside a sweep: %s\n\n| operation | size | time | busbw | expected by | expected | time expected / "
      "measured "
      "|\n|---|---|---|---|---|---|---|\n",
      theory.source.c_str());
  for (const SweepPoint& point : result.points) {
    if (point.error) continue;
    const Prediction best = expected_collective(point.operation, point.bytes, theory.topology, theory.fitted);
    std::printf("| %s | %.0f | %.1f µs | %.2f GB/s | %s | %.1f µs | %.2f |\n",
                std::string(name_of(point.operation)).c_str(), point.bytes, 1e6 * point.seconds,
                point.bandwidth.bus / 1e9, std::string(name_of(best.model)).c_str(), 1e6 * best.seconds,
                best.seconds / point.seconds);
  }
}

void simulator() {
  std::vector<double> sizes;
  for (double bytes = 1; bytes <= 16 * 1073741824.0; bytes *= 2) sizes.push_back(bytes);
  std::vector<Index> ranks;
  for (Index count = 8; count <= 100'000; count += 8) ranks.push_back(count);
  Topology nodes = h100_nodes(1);
  nodes.between_switch = {true, 2e-6, 0.9};
  std::size_t predictions = 0;
  const double seconds =
      seconds_of([&] { predictions = predict_sweep(all_collective_operations, sizes, ranks, nodes).size(); });
  const std::vector<Index> largest{100'000};
  std::size_t few = 0;
  const double one = seconds_of([&] { few = predict_sweep(all_collective_operations, sizes, largest, nodes).size(); });
  std::printf(
      "\n### Cost models\n\n%zu predictions at 100,000 ranks (all operations, algorithms, 1 B to 16 GiB): %.2g s; %zu "
      "at 8, 16, … 100,000 "
      "ranks: %.2f s\n",
      few, one, predictions, seconds);
}

}  // namespace

int main(int count, char** arguments) {
  const Arguments asked = read(count, arguments);
  MpiSession session = value_of(MpiSession::open());
  AnyCollective collective(value_of(MpiCollective::create(MPI_COMM_WORLD)));
  const std::unique_ptr<MpiCoordinator> coordinator = value_of(MpiCoordinator::create(MPI_COMM_WORLD));
  const auto wanted = [&](const char* part) { return asked.part.empty() || asked.part == part; };
  if (wanted("verification")) verification(collective, *coordinator, asked);
  if (wanted("theory")) theory(collective, *coordinator);
  if (wanted("models") && collective.rank() == 0) simulator();
  return 0;
}
