#pragma once

#include <string>
#include <vector>

#include "telemetry_sources.hpp"

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay telemetry` is asked for.
struct TelemetryOptions : TelemetryOrigin {
  std::string action;                ///< list, record, show, replay; or serve, of the worker
  std::string file;                  ///< the recording; of serve: the library
  std::vector<std::string> devices;  ///< ids; none: all
  std::string page;                  ///< where show writes its page
  double seconds = 60;
  double interval = 0.1;
  double specification = 0;  ///< watts
  double ramp = 30;
};

void add_telemetry_command(CLI::App& app, TelemetryOptions& options);

}  // namespace assay_program
