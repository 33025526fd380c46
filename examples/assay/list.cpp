#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "assay/core/nearest_name.hpp"
#include "assembled_suite.hpp"
#include "commands.hpp"

namespace assay_program {

int list(const CommandLine& line) {
  const std::map<std::string, std::string> labels{
      {"ops", "operation"}, {"backends", "backend"}, {"formats", "formats"}, {"shapes", "shape"}, {"fills", "data"}, {"cases", ""}};
  const auto what = labels.find(line.listed);
  if (what == labels.end()) {
    const std::string message = assay::unknown_name("list", line.listed, {"ops", "backends", "formats", "shapes", "fills", "cases"});
    std::fprintf(stderr, "assay: %s\n", message.c_str());
    return 2;
  }
  const auto assembled = assemble_suite(line);
  if (!assembled) {
    std::fprintf(stderr, "assay: %s\n", assembled.error().message.c_str());
    return 2;
  }
  const assay::Suite& cases = assembled.value().cases;
  assay::Selection selection = line.selection;
  if (line.listed != "cases") selection.include_large = true;
  const auto chosen = select_cases(cases, selection);
  if (!chosen) {
    std::fprintf(stderr, "assay: %s\n", chosen.error().message.c_str());
    return 2;
  }
  std::set<std::string> printed;
  for (const std::size_t index : chosen.value()) {
    const assay::Case& entry = cases[index];
    const std::string name = what->second.empty() ? entry.id : entry.labels.at(what->second);
    if (printed.insert(name).second) std::printf("%s\n", name.c_str());
  }
  return 0;
}

}  // namespace assay_program
