// hang_report FOLDER: a loop of eight ranks in which one does not come to an operation, and a network with a slow
// interface and a slow link. What Assay makes of both stands in FOLDER/report.html. Exit code 0: both were found; 1:
// they were not.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "assay/collectives/flight/flight_board.hpp"
#include "assay/collectives/flight/hang_outcome.hpp"
#include "assay/collectives/flight/recorded_collective.hpp"
#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "assay/collectives/stragglers/measure_links.hpp"
#include "assay/collectives/stragglers/slow_links.hpp"
#include "assay/report/html.hpp"

using namespace assay;
using namespace std::chrono_literals;

namespace {

constexpr int ranks = 8;

/// A training loop: gradients are summed, then the next batch's seed is broadcast. Rank 5 is busy elsewhere in the 12th
/// step.
void train(InProcessCollective& end, const FlightBoard& board) {
  auto recorder = board.recorder(end.rank(), end.size());
  if (!recorder) return;
  auto recorded =
      RecordedCollective::make(AnyCollective(end), std::make_shared<FlightRecorder>(std::move(recorder).value()));
  if (!recorded) return;
  std::vector<float> gradients(4096, 1.0F), sums(4096);
  CollectiveCall all_reduce;
  all_reduce.count = static_cast<Index>(gradients.size());
  all_reduce.send = gradients.data();
  all_reduce.receive = sums.data();
  std::int64_t seed = 0;
  CollectiveCall broadcast;
  broadcast.operation = CollectiveOperation::broadcast;
  broadcast.type = ElementType::int64;
  broadcast.count = 1;
  broadcast.send = broadcast.receive = &seed;
  for (int step = 0; step < 20; ++step) {
    if (end.rank() == 5 && step == 12) std::this_thread::sleep_for(900ms);
    if (!launch(recorded.value(), all_reduce, deadline_after(500ms)) ||
        !launch(recorded.value(), broadcast, deadline_after(500ms)))
      break;
  }
  std::this_thread::sleep_for(200ms);  // as in a job that hangs: its ranks are all there
}

/// Reads the board while the ranks hang; any process of the machine could.
Outcome explain_hang(const std::filesystem::path& folder) {
  const FlightBoard board(folder / "board", "example");
  HangReport report;
  std::thread onlooker([&] {
    for (int look = 0;
         look < 200 && (report.waiting.size() < ranks - 1 || report.sentence.find("gave up") == std::string::npos);
         ++look) {
      std::this_thread::sleep_for(50ms);
      if (auto reading = board.read())
        report = hang_report(std::move(reading.value().flights), flight_time_now(), reading.value().problems);
    }
  });
  run_ranks(InProcessWorld(ranks), [&](InProcessCollective& end) { train(end, board); });
  onlooker.join();
  std::printf("%s\n", report.text().c_str());
  return hang_outcome(report);
}

/// Rank 2 has a slow network interface, and the link from 6 to 1 a bad cable.
Outcome compare_links() {
  InProcessOptions network;
  network.link = [](int from, int to) {
    return EmulatedLink{50e-6, from == 2 || to == 2 ? 0.3e9 : from == 6 && to == 1 ? 0.2e9 : 1e9};
  };
  LinkOptions how;
  how.bandwidth_bytes = 1 << 20;
  auto coordinators = in_process_coordinators(ranks);
  Outcome outcome;
  run_ranks(InProcessWorld(ranks, network), [&](InProcessCollective& end) {
    AnyCollective collective(end);
    auto matrix =
        measure_links(collective, coordinators[static_cast<std::size_t>(end.rank())], deadline_after(30s), how);
    if (end.rank() != 0) return;
    if (!matrix) {
      outcome.verdict = Verdict::error;
      outcome.reason = matrix.error().message;
      return;
    }
    const LinkTimes& times = matrix.value().bandwidth;
    const StragglerReport report = find_slow_links(times);
    outcome = straggler_outcome(report, "collectives/links");
    outcome.heat_maps = {slowdown_map(report, times, SlowLinkOptions{}.least_slowdown), matrix.value().bandwidth_map()};
    std::printf("%s\n", report.reason.c_str());
  });
  return outcome;
}

}  // namespace

int main(int count, char** arguments) {
  const std::filesystem::path folder = count > 1 ? arguments[1] : "hang_report_pages";
  std::error_code ignored;  // what cannot be made cannot be written to, and is told then
  std::filesystem::create_directories(folder, ignored);
  Run run;
  run.title = "Hangs and stragglers";
  run.outcomes = {explain_hang(folder), compare_links()};
  run.planned_cases = run.outcomes.size();
  if (auto written = write_html(run, folder / "report.html"); !written) {
    std::fprintf(stderr, "hang_report: %s\n", written.error().message.c_str());
    return 1;
  }
  const bool found = run.outcomes[0].reason.find("rank 5 never entered all_reduce #25") != std::string::npos &&
                     run.outcomes[1].reason.find("rank 2 is") != std::string::npos &&
                     run.outcomes[1].reason.find("6 → 1") != std::string::npos;
  return found ? 0 : 1;
}
