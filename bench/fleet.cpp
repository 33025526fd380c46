// A fleet of 100,000 nodes with eight devices each, three metrics a device: planted bad devices and nodes must be found, none of the
// others accused.
//
//   bench_fleet [--nodes N] [--seed S]
//
// Printed are seconds, memory and counts as Markdown. Exit code: 0, or 1 if a bad one was missed or a good one accused.

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>

#include "assay/fleet/population/fleet_results.hpp"

namespace {

using namespace assay;

constexpr std::uint32_t devices_of_node = 8;

/// What is wrong with a fleet by plan.
struct Planted {
  std::set<std::string> suspects;  ///< as outcomes name them: group/node or group/node/device
};

FleetResults simulated_fleet(std::uint32_t nodes, std::uint64_t seed, Planted& planted) {
  FleetResults results;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  results.subjects.reserve(std::size_t{nodes} * devices_of_node);
  for (std::uint32_t node = 0; node < nodes; ++node)
    for (std::uint32_t device = 0; device < devices_of_node; ++device)
      results.subjects.push_back("n" + std::to_string(node) + "/gpu" + std::to_string(device));
  struct Metric {
    const char* name;
    double typical, spread;
    bool higher_is_better;
  };
  for (const Metric& metric : {Metric{"gemm_tflops", 700, 0.01, true},
                               {"memory_gbps", 3000, 0.005, true},
                               {"kernel_seconds", 1e-3, 0.012, false}}) {
    PeerGroup group;
    group.name = metric.name;
    group.higher_is_better = metric.higher_is_better;
    group.subjects.reserve(results.subjects.size());
    group.values.reserve(results.subjects.size());
    const double worse = metric.higher_is_better ? -1 : 1;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const bool bad_node = node % 9973 == 17;  // cooling: all devices are slow
      for (std::uint32_t device = 0; device < devices_of_node; ++device) {
        const bool bad_device = !bad_node && node % 1009 == 5 && device == node % devices_of_node;
        double value = metric.typical * (1 + metric.spread * normal(random));
        if (bad_node || bad_device) value = metric.typical * (1 + worse * (0.15 + 0.1 * std::abs(normal(random))));
        const std::uint32_t subject = node * devices_of_node + device;
        group.subjects.push_back(subject);
        group.values.push_back(value);
        if (bad_device) planted.suspects.insert("fleet/" + group.name + "/" + results.subjects[subject]);
      }
      if (bad_node) planted.suspects.insert("fleet/" + group.name + "/n" + std::to_string(node));
    }
    results.groups.push_back(std::move(group));
  }
  return results;
}

double most_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

}  // namespace

int main(int count, char** arguments) {
  std::uint32_t nodes = 100'000;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(arguments[i], "--nodes") == 0)
      nodes = static_cast<std::uint32_t>(std::strtoul(arguments[i + 1], nullptr, 10));
    if (std::strcmp(arguments[i], "--seed") == 0) seed = std::strtoull(arguments[i + 1], nullptr, 10);
  }
  Planted planted;
  const FleetResults results = simulated_fleet(nodes, seed, planted);
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Outcome> outcomes = fleet_outcomes(results);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::size_t found = 0, accused = 0;
  for (const Outcome& outcome : outcomes)
    if (outcome.verdict == Verdict::fail) planted.suspects.count(outcome.id) > 0 ? ++found : ++accused;
  std::printf(
      "| nodes | devices | measurements | planted | found | falsely accused | seconds | GB |\n"
      "|---|---|---|---|---|---|---|---|\n| %u | %zu | %zu | %zu | %zu | %zu | %.2f | %.2f |\n",
      nodes, results.subjects.size(), results.subjects.size() * results.groups.size(), planted.suspects.size(), found,
      accused, seconds, most_memory() / 1e9);
  return found == planted.suspects.size() && accused == 0 ? 0 : 1;
}
