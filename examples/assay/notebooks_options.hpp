#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay notebooks` is asked for.
struct NotebooksOptions {
  std::string action;              ///< check
  std::vector<std::string> paths;  ///< notebooks, and folders of them
  std::string python = "python3";  ///< what parses their code
  std::string report;              ///< the file; empty: none is written
};

/// Returns the command, which wants the options of settings.
CLI::App& add_notebooks_command(CLI::App& app, NotebooksOptions& options);

}  // namespace assay_program
