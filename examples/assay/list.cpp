#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "assay/core/nearest_name.hpp"
#include "assembled_suite.hpp"
#include "commands.hpp"
#include "fault.hpp"

namespace assay_program {

int list(const CommandLine& line) {
  const std::map<std::string, std::string> labels{
      {"ops", "operation"}, {"backends", "backend"}, {"formats", "formats"}, {"shapes", "shape"}, {"fills", "data"}, {"cases", ""}};
  const auto what = labels.find(line.listed);
  if (what == labels.end()) return fault(assay::unknown_name("list", line.listed, {"ops", "backends", "formats", "shapes", "fills", "cases"}));
  auto all = catalogue(line);
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
