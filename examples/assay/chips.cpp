#include "chips.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "assay/core/detect_environment.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/fleet/chips/check_chip.hpp"
#include "assay/report/json.hpp"
#include "fault.hpp"
#include "printed_table.hpp"

namespace assay_program {

namespace {

int list(const ChipsOptions& options, const assay::ChipCatalog& catalog) {
  std::vector<assay::Chip> chosen;
  std::vector<std::string> vendors;
  for (const assay::Chip& chip : catalog.chips()) {
    if (options.vendor.empty() || chip.vendor == options.vendor) chosen.push_back(chip);
    if (std::find(vendors.begin(), vendors.end(), chip.vendor) == vendors.end()) vendors.push_back(chip.vendor);
  }
  if (chosen.empty()) return fault(assay::unknown_name("vendor", options.vendor, vendors));
  print_table(assay::list_chips(chosen));
  std::printf(
      "\nDense peaks in TFLOP/s (int8: TOP/s); links in both directions together; -: not stated. Figures of low "
      "confidence are shown, and gate nothing.\n");
  return 0;
}

int check(const ChipsOptions& options, const std::string& command, const std::vector<assay::Chip>& chosen) {
  assay::Run run;
  run.title = "Chips: do their figures agree with each other?";
  run.command = command;
  run.environment = assay::detect_environment();
  run.planned_cases = chosen.size();
  for (const assay::Chip& chip : chosen) {
    run.outcomes.push_back(assay::check_chip(chip));
    const assay::Outcome& outcome = run.outcomes.back();
    std::printf("%-12s %s%s%s\n", std::string(name_of(outcome.verdict)).c_str(), chip.name.c_str(),
                outcome.reason.empty() ? "" : ": ", outcome.reason.c_str());
  }
  std::printf("%zu agree, %zu contradict themselves, %zu undecided\n", run.count(assay::Verdict::pass),
              run.count(assay::Verdict::fail), run.count(assay::Verdict::inconclusive));
  if (!options.report.empty())
    if (const auto written = assay::write_json(run, options.report); !written) return fault(written.error().message);
  return run.exit_code();
}

}  // namespace

double bytes_of_chip_format(std::string_view format) {
  if (format == "fp64") return 8;
  if (format == "tf32") return 4;
  if (format == "bf16" || format == "fp16") return 2;
  if (format == "fp6") return 0.75;
  return format == "fp4" ? 0.5 : 1;
}

assay::Result<assay::ChipCatalog> catalog_with(const std::vector<std::string>& files) {
  assay::ChipCatalog catalog = assay::ChipCatalog::known();
  for (const std::string& file : files)
    if (const auto added = catalog.add(file); !added) return added.propagate();
  return catalog;
}

assay::Result<std::vector<assay::Chip>> chips_named(const assay::ChipCatalog& catalog,
                                                    const std::vector<std::string>& names) {
  std::vector<assay::Chip> chosen;
  for (const std::string& name : names) {
    auto chip = catalog.find(name);
    if (!chip) return chip.propagate();
    chosen.push_back(std::move(chip).value());
  }
  return chosen;
}

int chips(const ChipsOptions& options, const std::string& command) {
  const auto catalog = catalog_with(options.files);
  if (!catalog) return fault(catalog.error().message);
  if (options.action == "list")
    return options.names.empty() ? list(options, catalog.value()) : fault("list takes no names; show does");
  const auto chosen = chips_named(catalog.value(), options.names);
  if (!chosen) return fault(chosen.error().message);
  if (options.action == "check")
    return check(options, command, chosen.value().empty() ? catalog.value().chips() : chosen.value());
  if (chosen.value().empty()) return fault(options.action + " asks for names of chips; assay chips list has them");
  if (options.action == "compare") {
    print_table(assay::compare_chips(chosen.value()));
    return 0;
  }
  for (const assay::Chip& chip : chosen.value()) {
    print_table(assay::compare_chips({chip}));
    const assay::Outcome checked = assay::check_chip(chip);
    for (const std::string& step : checked.derivation) std::printf("derived: %s\n", step.c_str());
    std::printf("self-check: %s%s%s\n", std::string(name_of(checked.verdict)).c_str(),
                checked.reason.empty() ? "" : ": ", checked.reason.c_str());
    std::printf("source: %s%s\n\n", chip.source.c_str(),
                chip.origin.empty() ? "" : (" (from '" + chip.origin + "')").c_str());
  }
  return 0;
}

}  // namespace assay_program
