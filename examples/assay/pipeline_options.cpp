#include "pipeline_options.hpp"

#include <CLI/CLI.hpp>

#include "assay/core/nearest_name.hpp"

namespace assay_program {

namespace {

constexpr const char* pipeline_examples =
    "Examples:\n"
    "  assay pipeline run --reference cpu --candidate npu --fed npu-fed --bounds bounds.json --out report\n"
    "  assay pipeline bisect --reference cpu --candidate npu --rtol 1e-3     thousands of nodes, a dozen of files "
    "read\n\n"
    "A folder has a file a stage, 01_decode.npy, 02_resize.npy, 09_text.json, in the order of their numbers. "
    "--candidate\n"
    "ran on its own outputs, --fed ran each stage on the reference's: it tells which stage is to blame.\n"
    "Exit code: 0 all stages within their bounds, 1 one is not, 2 usage, environment, or nothing was decided.";

}  // namespace

CLI::App& add_pipeline_command(CLI::App& app, PipelineOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "pipeline", "where two implementations of an application part: stage by stage, of what they recorded");
  command.add_option("action", options.action, "run (all stages) or bisect (a long chain, few comparisons)")
      ->required()
      ->type_name("run|bisect");
  command.option_defaults()->group("Recorded stages");
  command.add_option("--reference", options.reference, "of the implementation that is right")
      ->required()
      ->type_name("DIR");
  command.add_option("--candidate", options.candidate, "of the other, run on its own outputs")
      ->required()
      ->type_name("DIR");
  command.add_option("--fed", options.fed, "of run: of the other, each stage run on the reference's inputs")
      ->type_name("DIR");
  command.option_defaults()->group("Bounds");
  command
      .add_option("--bounds", options.bounds, "by stage: {\"resize\": {\"absolute\": 1}, \"*\": {\"relative\": 1e-5}}")
      ->type_name("FILE");
  command.add_option("--atol", options.absolute, "of stages without a bound (0)")->type_name("X");
  command.add_option("--rtol", options.relative, "of stages without a bound (1e-5)")->type_name("X");
  command.option_defaults()->group("Options");
  command.add_option("--name", options.name, "in the outcomes' ids (the name of the candidate's folder)")
      ->type_name("NAME");
  command.add_option("--probes", options.probes, "of bisect: nodes looked at beyond halving (4)")->type_name("N");
  command.footer(pipeline_examples);
  return command;
}

assay::Result<void> check_pipeline_options(const PipelineOptions& options) {
  if (options.action != "run" && options.action != "bisect")
    return assay::failure(assay::ErrorKind::not_found,
                          assay::unknown_name("action", options.action, {"run", "bisect"}));
  return {};
}

}  // namespace assay_program
