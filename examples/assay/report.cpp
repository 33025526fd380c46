#include <cstdio>

#include "assay/report/json.hpp"
#include "commands.hpp"
#include "dashboard.hpp"
#include "fault.hpp"
#include "output_folder.hpp"

namespace assay_program {

int report(const CommandLine& line) {
  if (line.dashboard.asked()) return dashboard(line.dashboard, line.saved_runs, line.output_folder);
  auto run = assay::read_json(line.saved_runs.front());
  if (!run) return fault(run.error().message);
  run.value().require_conclusive = run.value().require_conclusive || line.require_conclusive;
  const auto output = OutputFolder::open(line.output_folder, line.formats);
  if (!output) return fault(output.error().message);
  if (const auto room = output.value().has_room_for(run.value().outcomes.size()); !room)
    return fault(room.error().message);
  if (const auto written = output.value().write(run.value()); !written) return fault(written.error().message);
  for (const auto& file : output.value().files()) std::printf("report: %s\n", file.string().c_str());
  return 0;
}

}  // namespace assay_program
