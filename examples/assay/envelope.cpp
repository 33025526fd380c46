#include "assay/validators/envelope/envelope.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/report/json.hpp"
#include "assay/validators/envelope/envelope_file.hpp"
#include "commands.hpp"
#include "fault.hpp"

namespace assay_program {

int envelope(const CommandLine& line) {
  if (line.envelope_action != "learn") return fault(assay::unknown_name("action", line.envelope_action, {"learn"}));
  std::vector<assay::Outcome> outcomes;
  for (const std::string& file : line.saved_runs) {
    auto run = assay::read_json(file);
    if (!run) return fault(run.error().message);
    for (assay::Outcome& outcome : run.value().outcomes) outcomes.push_back(std::move(outcome));
  }
  const assay::Envelope learned = assay::learn_envelope(outcomes, line.envelope_rate);
  if (learned.groups.empty()) return fault("the runs hold no case that passed: there is nothing to learn from");
  const auto limited = std::count_if(learned.groups.begin(), learned.groups.end(), [](const auto& entry) {
    return std::any_of(entry.second.limits.begin(), entry.second.limits.end(),
                       [](const auto& limit) { return std::isfinite(limit.second); });
  });
  const std::string rate = assay::detail::printed_number(learned.rate);
  if (limited == 0) {
    std::size_t most_runs = 0;
    for (const auto& [name, group] : learned.groups) most_runs = std::max(most_runs, group.runs);
    return fault("a limit at a rate of " + rate + " needs " +
                 std::to_string(assay::envelope_runs_needed(learned.rate)) +
                 " runs of a group of cases, and no group has more than " + std::to_string(most_runs) +
                 ", so the envelope would say nothing; give runs of more seeds, or a larger --rate");
  }
  if (const auto written = assay::write_envelope(line.output_file, learned); !written)
    return fault(written.error().message);
  std::printf("%zu groups of cases in %zu runs; %td have enough runs for limits at a rate of %s\n",
              learned.groups.size(), line.saved_runs.size(), static_cast<std::ptrdiff_t>(limited), rate.c_str());
  return 0;
}

}  // namespace assay_program
