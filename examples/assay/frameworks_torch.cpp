#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "assay/core/printed_number.hpp"
#include "assay/core/process/run_program.hpp"
#include "assay/core/table.hpp"
#include "assay/report/json.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"
#include "fault.hpp"
#include "frameworks_checks.hpp"
#include "printed_table.hpp"
#include "suites/python_process.hpp"

namespace assay_program {

namespace {

namespace fs = std::filesystem;

constexpr int not_installed = 77;

/// Says what is missing, one package a line, or is the program of the package.
constexpr const char* start_of_program = R"python(
import importlib.util, sys
packages = {"assay": "examples/python", "torch": "torch", "expecttest": "expecttest"}
missing = [package for module, package in packages.items() if importlib.util.find_spec(module) is None]
if missing:
    print("\n".join(missing))
    sys.exit(77)
from assay import torch_operators
sys.exit(torch_operators.main(sys.argv[1:]))
)python";

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (end > start) lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::vector<std::string> command_of(const FrameworksOptions& options, const fs::path& folder) {
  std::vector<std::string> command = {python_interpreter(),
                                      "-c",
                                      start_of_program,
                                      "--device=" + options.device,
                                      "--op=" + joined(options.operators, ","),
                                      "--dtype=" + joined(options.formats, ","),
                                      "--samples=" + std::to_string(options.samples),
                                      "--timeout=" + assay::number_text(options.seconds),
                                      "--out=" + folder.string()};
  if (options.gradients) command.emplace_back("--gradients");
  return command;
}

/// What stands in the place of outcomes that nobody has.
assay::Outcome without_operators(const FrameworksOptions& options, assay::Verdict verdict, std::string reason) {
  assay::Outcome outcome;
  const std::string formats = joined(options.formats, "+");
  outcome.id = "operators/torch." + options.device + "/" + formats + "/samples/forward";
  outcome.verdict = verdict;
  outcome.reason = std::move(reason);
  outcome.labels = {{"operation", "operators"},
                    {"backend", "torch." + options.device},
                    {"formats", formats},
                    {"shape", "samples"},
                    {"data", "forward"}};
  return outcome;
}

/// The outcomes of the package's program. Errors: its last line, where it refuses the question.
assay::Result<std::vector<assay::Outcome>> outcomes_of(const FrameworksOptions& options, const fs::path& folder) {
  using Kind = assay::detail::Ending::Kind;
  const auto one = [&](assay::Verdict verdict, const std::string& reason) {
    return std::vector<assay::Outcome>{without_operators(options, verdict, reason)};
  };
  const auto ended = assay::detail::run_program(command_of(options, folder), options.deadline);
  if (!ended)
    return one(assay::Verdict::unsupported, ended.error().message + "; install Python, or name one in ASSAY_PYTHON");
  const auto [kind, number, detail] = ended.value().ending;
  const std::vector<std::string> lines = lines_of(ended.value().output);
  if (kind == Kind::timeout)
    return one(assay::Verdict::error, "the operators took longer than " + assay::number_text(options.deadline) +
                                          " s; --deadline grants more, --op takes fewer");
  if (kind == Kind::exit && number == not_installed)
    return one(assay::Verdict::unsupported,
               "'" + python_interpreter() + "' has not all packages: pip install " + joined(lines, " "));
  const auto text = assay::read_file(folder / "report.json");
  if (!text && kind != Kind::exit)
    return one(assay::Verdict::error, "Python ended: " + description_of(ended.value().ending));
  if (!text)
    return assay::failure(assay::ErrorKind::invalid, lines.empty() ? "it said nothing" : assay::visible(lines.back()));
  auto run = assay::run_from_json(text.value());
  if (!run) return run.propagate();
  return std::move(run).value().outcomes;
}

std::string ratio_of(const assay::Outcome& outcome) {
  for (const assay::Measurement& measured : outcome.measurements)
    if (measured.name == "worst_error_ratio") return assay::number_text(measured.value);
  return "";
}

/// Verdicts by format and direction, and how many bounds were derived.
void print_by_format(const std::vector<assay::Outcome>& outcomes) {
  constexpr assay::Verdict verdicts[] = {assay::Verdict::pass, assay::Verdict::fail, assay::Verdict::error,
                                         assay::Verdict::inconclusive, assay::Verdict::unsupported};
  std::map<std::string, std::map<assay::Verdict, int>> counts;
  std::map<std::string, int> derived;
  for (const assay::Outcome& outcome : outcomes) {
    const std::string row = outcome.label("formats") + " " + outcome.label("data");
    ++counts[row][outcome.verdict];
    derived[row] += outcome.label("bound") == "derived" && outcome.verdict != assay::Verdict::unsupported ? 1 : 0;
  }
  assay::Table table;
  table.columns = {"operators"};
  for (const assay::Verdict verdict : verdicts) table.columns.emplace_back(name_of(verdict));
  table.columns.emplace_back("by derived bounds");
  for (auto& [row, found] : counts) {
    table.rows.push_back({assay::visible(row)});
    for (const assay::Verdict verdict : verdicts) table.rows.back().push_back(std::to_string(found[verdict]));
    table.rows.back().push_back(std::to_string(derived[row]));
  }
  print_table(table);
}

}  // namespace

int check_torch(const FrameworksOptions& options) {
  std::error_code code;
  std::string pattern = (fs::temp_directory_path(code) / "assay-torch-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return fault("no folder can be made in " + pattern);
  const fs::path folder = pattern;
  const auto start = std::chrono::steady_clock::now();
  auto found = outcomes_of(options, folder);
  fs::remove_all(folder, code);
  if (!found) return fault(found.error().message);
  std::vector<assay::Outcome> outcomes = std::move(found).value();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print_by_format(outcomes);
  std::string lines;
  for (const assay::Outcome& outcome : outcomes)
    lines += std::string(name_of(outcome.verdict)) + "\t" + outcome.id + "\t" + outcome.label("bound") + "\t" +
             ratio_of(outcome) + "\t" + assay::visible(outcome.reason) + "\n";
  if (!options.table.empty())
    if (const auto written = assay::write_file(options.table, lines); !written) return fault(written.error().message);
  return tell_framework_outcomes(options, std::move(outcomes), "operators of PyTorch, " + options.device, seconds);
}

}  // namespace assay_program
