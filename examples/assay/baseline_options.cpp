#include "baseline_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "assay/core/nearest_name.hpp"

namespace assay_program {

namespace {

constexpr const char* baseline_examples =
    "Examples:\n"
    "  assay baseline record --store golden --backend onednn --by ada\n"
    "  assay baseline compare --store golden --backend onednn --out report\n"
    "  assay baseline diff 3fa9c2d81e --store golden        a golden output and the candidate for its place\n"
    "  assay baseline approve 3fa9c2d81e --store golden --by ada --note 'driver 580'\n"
    "  assay baseline prune --store golden --older-than 730 --unused-in report/report.json --dry-run\n"
    "  assay baseline export --store golden --to golden.baselines\n\n"
    "Exit code of compare: 0 all agree, 1 something does not, 2 some have no baseline, or usage and environment.";

}  // namespace

CLI::App& add_baseline_command(CLI::App& app, BaselineCommandOptions& options) {
  CLI::App& command =
      *app.add_subcommand("baseline", "keep the outputs of known right kernels for years, and compare with them");
  command.add_option("action", options.action, "record, compare, approve, list, show, diff, prune, export or import")
      ->required()
      ->type_name("record|compare|approve|list|show|diff|prune|export|import");
  command
      .add_option("names", options.names,
                  "baselines, by the beginning of their key or by test (glob); import: the file")
      ->type_name("NAME…");
  command.add_option("--store", options.store, "where they are kept: a folder, sqlite:FILE or postgresql:CONNECTION")
      ->type_name("STORE");
  command.option_defaults()->group("Record, approve");
  command.add_option("--by", options.by, "who approves")->type_name("NAME");
  command.add_option("--note", options.note, "of approve: what to remember")->type_name("TEXT");
  command
      .add_option("--tolerance", options.tolerance,
                  "of record: by which rule outputs will be compared with the new records (derived)")
      ->type_name("derived|exact|strict|normal|relaxed|ulps=N|atol=X,rtol=Y");
  command.option_defaults()->group("Diff, prune, export");
  command.add_option("--with", options.other_store, "of diff: the store to hold the first against")->type_name("STORE");
  command.add_option("--older-than", options.older_than, "of prune: made and approved more than so many days ago")
      ->type_name("DAYS");
  command.add_option("--unused-in", options.unused_in, "of prune: that none of these comparisons used")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("REPORT.json[,…]");
  command.add_flag("--candidates", options.candidates, "of prune: only candidates that nobody approved");
  command.add_flag("--dry-run", options.dry_run, "of prune: tell what would be erased, and erase nothing");
  command.add_option("--to", options.to, "of export: the file to write")->type_name("FILE");
  command.option_defaults()->group("Options");
  command.footer(baseline_examples);
  return command;
}

assay::Result<void> check_baseline_options(const BaselineCommandOptions& options) {
  const auto refused = [](const std::string& message) { return assay::failure(assay::ErrorKind::invalid, message); };
  const std::vector<std::string> actions{"record", "compare", "approve", "list",  "show",
                                         "diff",   "prune",   "export",  "import"};
  const auto is = [&](const char* action) { return options.action == action; };
  if (std::find(actions.begin(), actions.end(), options.action) == actions.end())
    return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("action", options.action, actions));
  if (options.store.empty())
    return refused(options.action + " asks for --store: a folder, sqlite:FILE or postgresql:CONNECTION");
  if ((is("record") || is("compare")) && !options.names.empty())
    return refused(options.action + " runs cases; choose them by --only '" + options.names.front() +
                   "', --op, --backend, …");
  if (is("approve") && (options.names.empty() || options.by.empty()))
    return refused("approve asks for the baselines, and for --by NAME: who approves");
  if (is("show") && options.names.size() != 1) return refused("show takes one baseline");
  if (is("import") && options.names.size() != 1) return refused("import takes one file");
  if (is("diff") && options.other_store.empty() && (options.names.empty() || options.names.size() > 2))
    return refused("diff takes one baseline (and its candidate), two, or --with STORE");
  if (is("export") && options.to.empty()) return refused("export asks for --to FILE");
  const bool chooses = !options.older_than.empty() || !options.unused_in.empty() || options.candidates;
  if (is("prune") && !chooses)
    return refused("prune asks for what to erase: --older-than DAYS, --unused-in REPORT.json or --candidates");
  return {};
}

}  // namespace assay_program
