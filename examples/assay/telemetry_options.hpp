#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay telemetry` is asked for.
struct TelemetryOptions {
  std::string action;                ///< list, record, show, replay; or serve, of the worker
  std::string file;                  ///< the recording; of serve: the library
  std::vector<std::string> sources;  ///< none: all that are here
  std::vector<std::string> devices;  ///< ids; none: all
  std::string root = "/sys";
  std::string kernel_log = "/dev/kmsg";
  std::string library;  ///< the file of a vendor's library, where it is not where it usually is
  std::string page;     ///< where show writes its page
  double seconds = 60;
  double interval = 0.1;
  double specification = 0;  ///< watts
  double ramp = 30;
};

void add_telemetry_command(CLI::App& app, TelemetryOptions& options);

}  // namespace assay_program
