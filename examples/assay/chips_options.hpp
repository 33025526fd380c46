#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay chips` is asked for.
struct ChipsOptions {
  std::string action;              ///< list, show, compare or check
  std::vector<std::string> names;  ///< of chips
  std::vector<std::string> files;  ///< with chips of the user's
  std::string vendor;              ///< of list: only theirs; empty: all
  std::string report;              ///< of check: the file; empty: none is written
};

/// Returns the command, which wants the options of settings.
CLI::App& add_chips_command(CLI::App& app, ChipsOptions& options);

/// What `assay run --roofline CHIP` asks for.
struct RooflineRequest {
  std::string chip;                ///< a name of the catalog; empty: not asked for
  std::vector<std::string> files;  ///< further chips
};

/// --chips FILE, as all commands that speak of chips have it.
void add_chip_files(CLI::App& app, std::vector<std::string>& files);

}  // namespace assay_program
