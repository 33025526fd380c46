#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/formats/format_list.hpp"
#include "assembled_suite.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "printed_table.hpp"
#include "suites/operation_families.hpp"

namespace assay_program {

namespace {

std::string figure(double value) {
  return assay::detail::printed_number(value);
}

std::vector<std::string> cells_of(const assay::FormatDescription& format) {
  const bool floating = format.kind == assay::FormatKind::floating_point;
  const auto of_floating = [&](int number) { return floating ? std::to_string(number) : std::string("-"); };
  const auto unless_zero = [](double number) { return number == 0 ? std::string("-") : figure(number); };
  const char* zeros = !format.has_zero ? "none" : format.has_negative_zero ? "+0 -0" : "0";
  return {format.name,
          std::to_string(format.bits),
          of_floating(format.exponent_bits),
          of_floating(format.fraction_bits),
          of_floating(format.bias),
          figure(format.lowest),
          figure(format.largest),
          unless_zero(format.smallest_normal),
          unless_zero(format.smallest_subnormal),
          std::to_string(format.infinities),
          std::to_string(format.nans),
          zeros};
}

/// Number formats in figures: those that are named, or all.
int list_formats(const std::vector<std::string>& names) {
  assay::Table table{"",
                     {"format", "bits", "exponent", "fraction", "bias", "lowest", "largest", "smallest normal",
                      "subnormal", "infinities", "NaN", "zero"},
                     {}};
  for (const std::string& name : names.empty() ? assay::AllFormats::names() : names) {
    const auto format = assay::with_format(name, []<class T>() { return assay::format_description<T>(); });
    if (!format) return fault(format.error().message);
    table.rows.push_back(cells_of(format.value()));
  }
  print_table(table);
  return 0;
}

/// Which classes of lengths the suites reach; of one operation each with the problem that is of it.
int list_coverage(const std::vector<std::string>& operations) {
  const auto coverage = operation_coverage(operations);
  if (coverage.empty())
    return fault("no operation whose formats are data is named '" + operations.front() +
                 "' (GEMM and quantizers have lists of their own: assay list shapes --op gemm); see assay list ops");
  for (const auto& [family, reached] : coverage) {
    std::printf("%s%s\n", &reached == &coverage.begin()->second ? "" : "\n", family.c_str());
    print_table(coverage_summary(reached), "  ");
    if (coverage.size() > 1) continue;
    std::printf("\nthe first problem of each class:\n");
    print_table(coverage_table(reached), "  ");
  }
  return 0;
}

}  // namespace

int list(const CommandLine& line) {
  const std::map<std::string, std::string> labels{{"ops", "operation"}, {"backends", "backend"}, {"formats", "formats"},
                                                  {"shapes", "shape"},  {"fills", "data"},       {"cases", ""},
                                                  {"coverage", ""}};
  const auto what = labels.find(line.listed);
  if (what == labels.end())
    return fault(assay::unknown_name("list", line.listed,
                                     {"ops", "backends", "formats", "shapes", "fills", "cases", "coverage"}));
  if (!line.listed_names.empty() && line.listed != "formats")
    return fault("'" + line.listed_names.front() + "' was given to list " + line.listed +
                 ", which takes no names; options such as --only select, see assay list --help");
  if (line.listed == "coverage") return list_coverage(line.selection.operations);
  if (line.listed == "formats") {
    const int done = list_formats(line.listed_names);
    if (done != 0 || !line.listed_names.empty()) return done;
    std::printf("\nof the suite, as inputs, accumulator and output (--dtype):\n");
  }
  auto all = catalog(line);
  if (!all) return fault(all.error().message);
  assay::Selection selection = line.selection;
  if (line.listed != "cases") selection.include_large = true;
  const auto chosen = chosen_cases(std::move(all).value(), selection);
  if (!chosen) return fault(chosen.error().message);
  std::set<std::string> printed;
  for (const assay::Case& entry : chosen.value()) {
    const std::string name = what->second.empty() ? entry.id : entry.labels.at(what->second);
    if (printed.insert(name).second) std::printf("%s\n", name.c_str());
  }
  return 0;
}

}  // namespace assay_program
