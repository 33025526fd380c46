#include "chips_options.hpp"

#include <CLI/CLI.hpp>

namespace assay_program {

void add_chip_files(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("--chips", files, "further chips, in the columns of chips.csv; theirs replace ours of the same name")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE.csv[,FILE.csv…]");
}

CLI::App& add_chips_command(CLI::App& app, ChipsOptions& options) {
  CLI::App& chips =
      *app.add_subcommand("chips", "accelerators by their data sheets: dense peaks, memory, links, power");
  chips
      .add_option("action", options.action,
                  "list; show and compare of names; check: do the figures agree with clock and units?")
      ->required()
      ->type_name("list|show|compare|check");
  chips.add_option("names", options.names, "chips, by name or the beginning of one")->type_name("CHIP…");
  add_chip_files(chips, options.files);
  chips.add_option("--vendor", options.vendor, "of list: only this vendor's")->type_name("NAME");
  chips.add_option("--report", options.report, "of check: as assay run writes it, for assay report and gate")
      ->type_name("FILE.json");
  chips.footer(
      "Examples:\n"
      "  assay chips list --vendor AMD\n"
      "  assay chips compare 'H100 SXM' mi300x 'Gaudi3'       peaks, ridge points, power, side by side\n"
      "  assay chips show my-chip --chips ours.csv            figures with their source; what is wrong with them\n"
      "  assay chips check --chips ours.csv                   clock x units x 2 against each stated peak\n\n"
      "Exit code: 0 right, 1 figures contradict each other, 2 usage, environment, or nothing was decided.");
  return chips;
}

}  // namespace assay_program
