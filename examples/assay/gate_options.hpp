#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay gate` is asked for.
struct GateOptions {
  std::vector<std::string> results;   ///< files and folders
  std::vector<std::string> previous;  ///< earlier results: what they have must not be absent
  std::string policy;                 ///< empty: the default policy
  std::vector<std::string> waivers;   ///< further files with waivers and quarantine
  std::string today;                  ///< empty: the clock's
  std::string output_folder;
  std::vector<std::string> formats;
  bool print_default_policy = false;
};

void add_gate_command(CLI::App& app, GateOptions& options);

}  // namespace assay_program
