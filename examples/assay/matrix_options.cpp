#include "matrix_options.hpp"

#include <CLI/CLI.hpp>

namespace assay_program {

void add_matrix_command(CLI::App& app, MatrixOptions& options) {
  CLI::App& matrix = *app.add_subcommand(
      "matrix", "combinations of drivers, toolkits, …: which there are, are done, and were certified by whom");
  matrix
      .add_option("action", options.action,
                  "expand, pairwise, shard (makes a folder a combination), status, merge or report")
      ->required()
      ->type_name("expand|pairwise|shard|status|merge|report");
  matrix.add_option("matrix", options.matrix, "axes and rules")->required()->type_name("MATRIX.json");
  matrix.add_option("results", options.results, "folders of results, of status, merge and report")->type_name("DIR…");
  matrix
      .add_option("--shard", options.shard,
                  "part i of n of the combinations, by a hash that stays when the matrix grows")
      ->type_name("i/n");
  matrix.add_flag("--pairwise", options.pairs, "promise every pair of values, not every combination");
  matrix
      .add_option("--out", options.output_folder,
                  "where shard makes folders, merge gathers results, and report writes compatibility.json and .md")
      ->type_name("DIR");
  matrix.add_option("--by", options.by, "of shard: who answers for the results")->type_name("NAME");
  matrix.add_option("--rows", options.rows, "of report: the axis whose values are rows (the first)")->type_name("AXIS");
  matrix.add_option("--columns", options.columns, "of report: the axis whose values are columns (the second)")
      ->type_name("AXIS");
  matrix.add_flag("--json", options.json, "of expand and pairwise: a JSON object a line");
}

}  // namespace assay_program
