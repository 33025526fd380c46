#include "assay/suite/merge_runs.hpp"

#include <cstdio>
#include <utility>
#include <vector>

#include "assay/report/json.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "output_folder.hpp"

namespace assay_program {

int merge(const CommandLine& line) {
  std::vector<assay::Run> runs;
  for (const std::string& file : line.saved_runs) {
    auto run = assay::read_json(file);
    if (!run) return fault(run.error().message);
    runs.push_back(std::move(run).value());
  }
  auto merged = assay::merge_runs(std::move(runs));
  if (!merged) return fault(merged.error().message);
  merged.value().require_conclusive = merged.value().require_conclusive || line.require_conclusive;
  const auto output = OutputFolder::open(line.output_folder, line.formats);
  if (!output) return fault(output.error().message);
  if (const auto written = output.value().write(merged.value()); !written) return fault(written.error().message);
  const assay::Run& run = merged.value();
  for (const assay::Outcome& outcome : run.outcomes)
    if (outcome.labels.count("shard") > 0 && outcome.verdict == assay::Verdict::error)
      std::printf("missing: %s\n", outcome.id.c_str());
  std::printf("%zu runs merged: %zu of %zu cases", line.saved_runs.size(), run.outcomes.size(), run.planned_cases);
  for (const assay::Verdict verdict : assay::all_verdicts)
    if (run.count(verdict) > 0) std::printf(", %zu %s", run.count(verdict), std::string(name_of(verdict)).c_str());
  std::printf("\n");
  for (const auto& file : output.value().files()) std::printf("report: %s\n", file.string().c_str());
  return run.exit_code();
}

}  // namespace assay_program
