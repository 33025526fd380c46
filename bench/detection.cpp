// Which faults of kernels are found, and how often right kernels are accused: Assay's default suites beside the rules
// of others, on identical data.
//
//   bench_detection [--part right|gemm|operations] [--validations N] [--depths N] [--seed S] [--out FILE.md]
//
// Prints Markdown, and writes it to a file that is named. Exit code: 0 where every fault was caught and no right kernel
// accused, 1 otherwise, 2 for wrong arguments.

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "detection_gemm.hpp"
#include "detection_operations.hpp"
#include "detection_right.hpp"

namespace {

using namespace detection;

void row(std::ostream& out, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) out << "| " << cell << ' ';
  out << "|\n";
}
void head(std::ostream& out, std::vector<std::string> cells) {
  row(out, cells);
  row(out, std::vector<std::string>(cells.size(), "---"));
}
std::string percent(const Rate& rate) {
  if (rate.total == 0) return "–";
  char text[16];
  std::snprintf(text, sizeof text, rate.percent() > 0 && rate.percent() < 10 ? "%.1f" : "%.0f", rate.percent());
  return text;
}
std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const Rule& rule : rules) names.emplace_back(rule.name);
  return names;
}
std::vector<std::string> with_rules(std::vector<std::string> first, const std::vector<std::string>& last = {}) {
  for (const std::string& name : rule_names()) first.push_back(name);
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

void report_rules(std::ostream& out) {
  out << "\n### The rules\n\n";
  head(out, {"rule", "inputs", "accepts", "source"});
  for (const Rule& rule : rules)
    row(out, {std::string(rule.name),
              rule.inputs == Inputs::normal    ? "N(0, 1)"
              : rule.inputs == Inputs::uniform ? "U(0, 1)"
                                               : "integers from -4 to 4",
              std::string(rule.definition), std::string(rule.source)});
}

/// Faults × rules. A run of a rule is one launch on its tool's inputs, or, `assay_inputs`, one on each of Assay's
/// patterns.
std::size_t report_gemm(std::ostream& out, const std::vector<GemmRow>& rows, bool assay_inputs) {
  std::size_t missed = 0;
  for (const bool faulty : {true, false}) {
    out << (faulty ? "\n### GEMM: faults caught, percent of runs, "
                   : "\n### GEMM: right kernels accused, percent of runs, ")
        << (assay_inputs ? "all on Assay's patterns\n\n" : "each rule on its tool's inputs\n\n");
    head(out,
         with_rules({faulty ? "fault" : "kernel", "Assay"},
                    assay_inputs ? std::vector<std::string>{} : std::vector<std::string>{"Assay on N(0, 1) alone"}));
    GemmRow all;
    const auto print = [&](const GemmRow& entry) {
      std::vector<std::string> cells{entry.name, percent(entry.assay)};
      for (std::size_t rule = 0; rule < rules.size(); ++rule)
        cells.push_back(percent(assay_inputs ? entry.assay_inputs[rule] : entry.own_inputs[rule]));
      if (!assay_inputs) cells.push_back(percent(entry.assay_on_normal));
      row(out, cells);
    };
    for (const GemmRow& entry : rows) {
      if (entry.faulty != faulty) continue;
      print(entry);
      all.assay.add(entry.assay);
      all.assay_on_normal.add(entry.assay_on_normal);
      for (std::size_t rule = 0; rule < rules.size(); ++rule)
        all.own_inputs[rule].add(entry.own_inputs[rule]), all.assay_inputs[rule].add(entry.assay_inputs[rule]);
      missed += faulty ? 0 : entry.assay.accused;
    }
    all.name = "**all**";
    print(all);
  }
  return missed;
}

std::size_t report_operations(std::ostream& out, const std::vector<OperationRow>& rows) {
  out << "\n### Other operations: faults caught of all, and validations of right kernels that were accused, percent\n\n"
         "Faults by each rule on N(0, 1) or U(0, 1) / on all of Assay's patterns, where the rule does not accuse a "
         "right kernel on the "
         "same data; in a third place, right kernels accused, percent of validations.\n\n";
  head(out, with_rules({"operation", "faults", "proved invisible", "Assay"}));
  std::size_t wrong = 0;
  for (const OperationRow& entry : rows) {
    std::vector<std::string> cells{entry.operation, std::to_string(entry.faults), std::to_string(entry.invisible),
                                   std::to_string(entry.assay_caught) + " / " + percent(entry.assay_alarms)};
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
      cells.push_back(entry.alarms[rule].total == 0
                          ? "cannot judge codes"
                          : std::to_string(entry.caught_plain[rule]) + " / " + std::to_string(entry.caught[rule]) +
                                " / " + percent(entry.alarms[rule]));
    row(out, cells);
    wrong += entry.assay_alarms.accused + (entry.faults - entry.invisible - entry.assay_caught);
    for (const std::string& name : entry.missed) out << "\nMissed: " << name << '\n';
  }
  return wrong;
}

int run(const std::string& part, std::size_t validations, std::size_t count_of_depths, std::uint64_t seed,
        const std::string& path) {
  std::ostringstream out;
  out << "## bench_detection --validations " << validations << " --depths " << count_of_depths << " --seed " << seed
      << '\n';
  report_rules(out);
  const auto wanted = [&](const char* name) { return part.empty() || part == name; };
  const RightKernels right = validate_right_kernels(wanted("right") ? validations : 0, seed);
  out << "\n### Right kernels\n\n"
      << right.accused << " of " << right.total << " validations of right GEMM kernels accused, " << right.inconclusive
      << " undecided (the pattern `extreme` where alpha may overflow), largest error/allowed " << right.worst_ratio
      << ".\n";
  for (const std::string& line : right.accusations) out << "\n- " << line << '\n';
  std::size_t wrong = right.accused;
  if (wanted("gemm")) {
    const std::vector<GemmRow> gemm = gemm_rows(seed, count_of_depths);
    wrong += report_gemm(out, gemm, false);
    (void)report_gemm(out, gemm, true);
  }
  if (wanted("operations")) wrong += report_operations(out, operation_rows(seed));
  std::cout << out.str();
  if (!path.empty()) {
    std::ofstream file(path);
    file << out.str();
    if (!file.flush()) {
      std::cerr << "cannot write " << path << '\n';
      return 2;
    }
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t validations = 20000, seed = 1, count_of_depths = depths.size();
  std::string path, part;
  const auto number = [](std::string_view text, std::uint64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  };
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    const bool understood = (option == "--validations" && number(value, validations)) ||
                            (option == "--seed" && number(value, seed)) ||
                            (option == "--depths" && number(value, count_of_depths) && count_of_depths >= 1 &&
                             count_of_depths <= depths.size()) ||
                            (option == "--out" && !value.empty()) ||
                            (option == "--part" && (value == "right" || value == "gemm" || value == "operations"));
    if (!understood) {
      std::cerr << "usage: bench_detection [--part right|gemm|operations] [--validations N] [--depths 1..4] [--seed S] "
                   "[--out FILE.md]; given: "
                << option << ' ' << value << '\n';
      return 2;
    }
    if (option == "--out") path = value;
    if (option == "--part") part = value;
  }
  return run(part, static_cast<std::size_t>(validations), static_cast<std::size_t>(count_of_depths), seed, path);
}
