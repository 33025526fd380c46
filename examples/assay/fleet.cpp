#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/fleet/population/burn_in.hpp"
#include "assay/fleet/population/fleet_results.hpp"
#include "assay/report/csv.hpp"
#include "assay/report/json.hpp"
#include "assay/report/text.hpp"
#include "fault.hpp"
#include "fleet_options.hpp"

namespace assay_program {

namespace {

/// Rows "subject,…" of files whose first line is `header`; empty with a message where one is not so.
assay::Result<std::vector<assay::CsvRow>> rows_of(const std::vector<std::string>& files,
                                                  const std::vector<std::string>& header, const char* expected) {
  std::vector<assay::CsvRow> all;
  for (const std::string& file : files) {
    const auto text = assay::read_file(file, "results of a fleet as CSV");
    if (!text) return text.propagate();
    auto rows = assay::csv_rows(text.value());
    if (!rows) return assay::failure(rows.error().kind, "'" + file + "': " + rows.error().message);
    if (rows.value().empty() || rows.value().front().cells != header)
      return assay::failure(assay::ErrorKind::malformed, "'" + file + "' begins with the line " + expected);
    for (std::size_t i = 1; i < rows.value().size(); ++i) {
      if (rows.value()[i].cells.size() != header.size())
        return assay::failure(assay::ErrorKind::malformed, "'" + file + "': line " +
                                                               std::to_string(rows.value()[i].line) + ": expected " +
                                                               std::to_string(header.size()) + " cells");
      all.push_back(std::move(rows.value()[i]));
    }
  }
  return all;
}

std::optional<std::uint64_t> whole(const std::string& cell) {
  const auto value = assay::csv_number(cell);
  if (!value || !(*value >= 0 && *value <= 1e15) || *value != static_cast<double>(static_cast<std::uint64_t>(*value)))
    return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

int finish(assay::Run run, const FleetViewOptions& options, const std::string& command) {
  for (const assay::Outcome& outcome : run.outcomes) {
    if (outcome.verdict == assay::Verdict::pass && outcome.reason.empty()) continue;
    std::printf("%-12s %s: %s\n", std::string(name_of(outcome.verdict)).c_str(), outcome.id.c_str(),
                outcome.reason.c_str());
    for (const std::string& finding : outcome.diagnosis) std::printf("             %s\n", finding.c_str());
  }
  std::printf("%zu passed, %zu failed, %zu undecided\n", run.count(assay::Verdict::pass),
              run.count(assay::Verdict::fail), run.count(assay::Verdict::inconclusive));
  run.planned_cases = run.outcomes.size();
  run.command = command;
  if (!options.json.empty()) {
    run.environment = assay::detect_environment();
    if (const auto written = assay::write_json(run, options.json); !written) return fault(written.error().message);
  }
  return run.exit_code();
}

int view(const FleetViewOptions& options, const std::string& command) {
  if (options.files.empty()) return fault("view asks for files: node,unit,class,metric,value");
  assay::FleetResults results;
  for (const std::string& file : options.files) {
    const auto text = assay::read_file(file, "results of a fleet as CSV");
    if (!text) return fault(text.error().message);
    if (const auto added = assay::add_fleet_results(text.value(), results); !added)
      return fault("'" + file + "': " + added.error().message);
  }
  assay::PeerOptions peers;
  peers.false_accusations = options.false_accusations;
  peers.minimum_effect = options.minimum_effect;
  assay::Run run;
  run.title = "Fleet: who differs from peers";
  run.outcomes = assay::fleet_outcomes(results, peers);
  std::printf("%zu subjects, %zu groups\n", results.subjects.size(), results.groups.size());
  return finish(std::move(run), options, command);
}

int rates(const FleetViewOptions& options, const std::string& command) {
  if (options.files.empty()) return fault("rates asks for files: subject,failures,attempts");
  const auto rows = rows_of(options.files, {"subject", "failures", "attempts"}, "subject,failures,attempts");
  if (!rows) return fault(rows.error().message);
  assay::Run run;
  run.title = "Fleet: intermittent failures";
  for (const assay::CsvRow& row : rows.value()) {
    const auto failures = whole(row.cells[1]), attempts = whole(row.cells[2]);
    if (!failures || !attempts || *failures > *attempts)
      return fault("line " + std::to_string(row.line) + ": '" + assay::visible(row.cells[0]) +
                   "': failures are whole numbers, and no more than attempts");
    run.outcomes.push_back(assay::rate_outcome(assay::intermittent_rate(row.cells[0], *failures, *attempts)));
  }
  return finish(std::move(run), options, command);
}

int burn_in(const FleetViewOptions& options, const std::string& command) {
  const assay::BurnInPlan plan{options.good_rate, options.bad_rate, options.alpha, options.beta};
  if (const auto sound = assay::check(plan); !sound) return fault(sound.error().message);
  std::printf(
      "accepted after %s h without a failure, %s h with one, %s h with two; errs: good rejected %s %%, bad "
      "accepted %s %% at most\n",
      assay::number_text(assay::hours_to_accept(plan), 4).c_str(),
      assay::number_text(assay::hours_to_accept(plan, 1), 4).c_str(),
      assay::number_text(assay::hours_to_accept(plan, 2), 4).c_str(), assay::number_text(100 * plan.alpha).c_str(),
      assay::number_text(100 * plan.beta).c_str());
  if (options.files.empty()) return 0;
  const auto rows = rows_of(options.files, {"subject", "hours", "failures"}, "subject,hours,failures");
  if (!rows) return fault(rows.error().message);
  assay::Run run;
  run.title = "Fleet: burn-in";
  for (const assay::CsvRow& row : rows.value()) {
    const auto hours = assay::csv_number(row.cells[1]);
    const auto failures = whole(row.cells[2]);
    if (!hours || !(*hours >= 0 && *hours < 1e12) || !failures)
      return fault("line " + std::to_string(row.line) + ": '" + assay::visible(row.cells[0]) +
                   "': hours are 0 or more, failures whole numbers");
    run.outcomes.push_back(assay::burn_in_outcome(plan, row.cells[0], *hours, *failures));
  }
  return finish(std::move(run), options, command);
}

}  // namespace

int fleet_view(const FleetViewOptions& options, const std::string& command) {
  if (!(options.false_accusations > 0 && options.false_accusations < 1e6 && options.minimum_effect >= 0))
    return fault("--false-accusations is above 0, --minimum-effect 0 or more");
  if (options.action == "view") return view(options, command);
  if (options.action == "rates") return rates(options, command);
  return burn_in(options, command);
}

}  // namespace assay_program
