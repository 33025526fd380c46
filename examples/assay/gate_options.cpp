#include "gate_options.hpp"

#include <CLI/CLI.hpp>

namespace assay_program {

void add_gate_command(CLI::App& app, GateOptions& options) {
  CLI::App& gate = *app.add_subcommand("gate", "may it ship? judges saved runs by a policy");
  gate.add_option("results", options.results,
                  "files report.json, JUnit XML or OCP diagnostics (.jsonl), or folders of them")
      ->type_name("RESULTS…");
  gate.add_option("--policy", options.policy, "what a release needs (the default policy)")->type_name("FILE.json");
  gate.add_option("--waivers", options.waivers, "further waivers and quarantine, in files of the same form")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE[,FILE…]");
  gate.add_option("--previous", options.previous,
                  "results of the release before: what they have and these have not is undecided")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("RESULTS[,RESULTS…]");
  gate.add_option("--today", options.today, "the day by which waivers expire (that of the clock)")
      ->type_name("YYYY-MM-DD");
  gate.add_option("--out", options.output_folder, "write report.json, .html, .md, .junit.xml and .sarif there")
      ->type_name("DIR");
  gate.add_option("--format", options.formats, "with --out, only these")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("json|html|markdown|junit|sarif[,…]");
  gate.add_flag("--print-default-policy", options.print_default_policy,
                "print the policy to start from, and do nothing else");
}

}  // namespace assay_program
