#include "assay/validators/minimize/minimize.hpp"

#include <cstdio>
#include <string>

#include "assay/core/floating_point_guard.hpp"
#include "assay/suite/seed.hpp"
#include "assay/validators/minimize/case_file.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "isolation.hpp"
#include "recorded_case.hpp"

namespace assay_program {

int minimize(const CommandLine& line) {
  const auto assembled = recorded_kernel(line, line.minimized);
  if (!assembled) return fault(assembled.error().message);
  const assay::Case& entry = assembled.value().cases.front();
  if (entry.id != line.minimized)
    return fault("there is no case " + line.minimized + "; one of the same kernel is " + entry.id);
  assay::CaseRecord start = entry.kernel->record(assay::case_seed(line.seed, entry.id));
  start.id = entry.id;
  start.tolerance = line.tolerance_text;
  start.repetitions = line.repetitions;
  assay::MinimizeOptions options;
  options.most_runs = line.most_runs;
  if (line.timeout_seconds > 0) options.most_seconds = line.timeout_seconds;
  const assay::FloatingPointGuard usual_arithmetic;
  const auto smallest = assay::minimize(*entry.kernel, std::move(start), options);
  if (!smallest) return fault(smallest.error().message);
  const assay::MinimizedCase& found = smallest.value();
  for (const std::string& step : found.steps) std::printf("  %s\n", step.c_str());
  std::printf("%s, %u runs%s: %s\n", found.outcome.label("shape").c_str(), found.runs,
              found.exhausted ? ", all that were allowed" : "", found.outcome.reason.c_str());
  if (!found.outcome.diagnosis.empty()) std::printf("  %s\n", assay::visible(found.outcome.diagnosis.front()).c_str());
  if (found.failed_confirmations < options.confirmations)
    std::printf("it fails now and then: %u of %u confirmations\n", found.failed_confirmations, options.confirmations);
  if (auto written = assay::write_case(line.output_file, found.record); !written) return fault(written.error().message);
  std::printf("run it again: assay run --no-config --case %s%s\n", shell_quoted(line.output_file).c_str(),
              plugin_options(line).c_str());
  return 0;
}

}  // namespace assay_program
