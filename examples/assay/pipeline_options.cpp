#include "pipeline_options.hpp"

#include <CLI/CLI.hpp>

#include "assay/core/nearest_name.hpp"

namespace assay_program {

namespace {

constexpr const char* pipeline_examples =
    "Examples:\n"
    "  assay pipeline run --reference cpu --candidate npu --fed npu-fed --bounds bounds.json --out report\n"
    "  assay pipeline bisect --reference cpu --candidate npu --rtol 1e-3     thousands of nodes, a dozen of files "
    "read\n"
    "  assay pipeline requests --records requests.jsonl --promise promise.json     stages in several processes\n"
    "  assay pipeline loading --records epochs.jsonl --promise loader.json\n\n"
    "A folder has a file a stage, 01_decode.npy, 02_resize.npy, 09_text.json, in the order of their numbers. "
    "--candidate\n"
    "ran on its own outputs, --fed ran each stage on the reference's: it tells which stage is to blame.\n\n"
    "A request is a line of id, begin, end, spans (stage, place, begin, end: seconds by that place's clock), and cut,\n"
    "fell_back, answer, reference; a promise has stages, fallback, deadline, late_share, stage_deadlines, "
    "cost_per_second,\n"
    "answers, fallback_answers. An epoch is a line of samples, checksums, seconds, stalled_seconds; its promise has\n"
    "dataset, batch, in_order, drops_last, deterministic.\n"
    "Exit code: 0 what was promised is kept, 1 it is not, 2 usage, environment, or nothing was decided.";

}  // namespace

CLI::App& add_pipeline_command(CLI::App& app, PipelineOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "pipeline", "where two implementations of an application part, stage by stage; deadlines, fallbacks and loaders");
  command
      .add_option("action", options.action,
                  "run (all stages), bisect (a long chain, few comparisons), requests (stages in several processes), "
                  "loading (of data)")
      ->required()
      ->type_name("run|bisect|requests|loading");
  command.option_defaults()->group("Recorded stages");
  command.add_option("--reference", options.reference, "of the implementation that is right")->type_name("DIR");
  command.add_option("--candidate", options.candidate, "of the other, run on its own outputs")->type_name("DIR");
  command.add_option("--fed", options.fed, "of run: of the other, each stage run on the reference's inputs")
      ->type_name("DIR");
  command.option_defaults()->group("Recorded requests and epochs");
  command.add_option("--records", options.records, "JSON lines, one of each")->type_name("FILE");
  command.add_option("--promise", options.promise, "a JSON object of what is promised")->type_name("FILE");
  command.option_defaults()->group("Bounds");
  command
      .add_option("--bounds", options.bounds, "by stage: {\"resize\": {\"absolute\": 1}, \"*\": {\"relative\": 1e-5}}")
      ->type_name("FILE");
  command.add_option("--atol", options.absolute, "of stages without a bound (0)")->type_name("X");
  command.add_option("--rtol", options.relative, "of stages without a bound (1e-5)")->type_name("X");
  command.option_defaults()->group("Options");
  command
      .add_option("--name", options.name,
                  "in the outcomes' ids (the name of the candidate's folder, or of the records)")
      ->type_name("NAME");
  command.add_option("--probes", options.probes, "of bisect: nodes looked at beyond halving (4)")->type_name("N");
  command.footer(pipeline_examples);
  return command;
}

assay::Result<void> check_pipeline_options(const PipelineOptions& options) {
  const bool of_stages = options.action == "run" || options.action == "bisect";
  if (!of_stages && options.action != "requests" && options.action != "loading")
    return assay::failure(assay::ErrorKind::not_found,
                          assay::unknown_name("action", options.action, {"run", "bisect", "requests", "loading"}));
  const auto missing = [&](const char* option) {
    return assay::failure(assay::ErrorKind::invalid,
                          "pipeline " + options.action + " asks for " + option + "; assay pipeline --help tells more");
  };
  if (of_stages && options.reference.empty()) return missing("--reference DIR");
  if (of_stages && options.candidate.empty()) return missing("--candidate DIR");
  if (!of_stages && options.records.empty()) return missing("--records FILE");
  if (!of_stages && options.promise.empty()) return missing("--promise FILE");
  return {};
}

}  // namespace assay_program
