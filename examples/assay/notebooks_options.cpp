#include "notebooks_options.hpp"

#include <CLI/CLI.hpp>

namespace assay_program {

CLI::App& add_notebooks_command(CLI::App& app, NotebooksOptions& options) {
  CLI::App& notebooks =
      *app.add_subcommand("notebooks", "are these notebooks whole: JSON, nbformat 4, code that parses?");
  notebooks.add_option("action", options.action, "check")->required()->type_name("check");
  notebooks.add_option("paths", options.paths, "notebooks, and folders in which all *.ipynb are meant")
      ->required()
      ->type_name("FOLDER|FILE.ipynb…");
  notebooks.add_option("--python", options.python, "what parses their code, none of which is run (python3)")
      ->type_name("PROGRAM");
  notebooks.add_option("--report", options.report, "as assay run writes it, for assay report and gate")
      ->type_name("FILE.json");
  notebooks.footer(
      "Examples:\n"
      "  assay notebooks check examples/labs                  every *.ipynb below; nothing is executed\n"
      "  assay notebooks check a.ipynb b.ipynb --report notebooks.json\n\n"
      "Exit code: 0 all are whole, 1 one is not, 2 usage, environment, or nothing was decided.");
  return notebooks;
}

}  // namespace assay_program
