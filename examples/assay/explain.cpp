#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/floating_point_guard.hpp"
#include "assay/report/terminal.hpp"
#include "assay/report/text.hpp"
#include "assay/suite/seed.hpp"
#include "assembled_suite.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "suites/library.hpp"

namespace assay_program {

namespace {

/// The text in lines of at most `width` columns, broken at blanks.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    const std::string_view word = text.substr(0, blank);
    if (!lines.back().empty() && assay::display_width(lines.back()) + 1 + assay::display_width(word) > width)
      lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
    text = blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
  }
  return lines;
}

std::string title_of(const std::string& backend) {
  for (const Library& library : libraries())
    if (library.name == backend) return library.title;
  return backend;
}

void print_steps(const std::vector<std::string>& steps) {
  const bool terminal = assay::can_rewrite_lines(stdout);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string number = std::to_string(i + 1) + ". ";
    const std::string margin((i < 9 ? 2 : 1), ' ');
    const std::size_t columns = assay::terminal_columns(stdout);
    const auto lines = terminal && columns > 30 ? wrapped(assay::visible(steps[i]), columns - 6)
                                                : std::vector<std::string>{assay::visible(steps[i])};
    for (std::size_t k = 0; k < lines.size(); ++k)
      std::printf("%s%s\n", k == 0 ? (margin + number).c_str() : "     ", lines[k].c_str());
  }
}

}  // namespace

int explain(const CommandLine& line) {
  CommandLine asked = line;
  assay::Selection& selection = asked.selection;
  selection.only.insert(selection.only.end(), line.explained.begin(), line.explained.end());
  selection.include_large = true;
  const bool asks = !selection.only.empty() || !selection.operations.empty() || !selection.backends.empty() ||
                    !selection.formats.empty() || !selection.shapes.empty() || !selection.data.empty();
  if (!asks) return fault("explain asks for cases: ids or globs, or --op, --backend, --dtype, --shape, --fill");
  auto all = catalog(asked);
  if (!all) return fault(all.error().message);
  const auto chosen = chosen_cases(std::move(all).value(), selection);
  if (!chosen) return fault(chosen.error().message);
  const assay::FloatingPointGuard usual_arithmetic;
  bool first = true;
  for (const assay::Case& entry : chosen.value()) {
    std::printf("%s%s\n  %s; data from seed %llu\n", first ? "" : "\n", entry.id.c_str(),
                title_of(entry.labels.at("backend")).c_str(), static_cast<unsigned long long>(line.seed));
    first = false;
    if (entry.explain)
      print_steps(entry.explain(assay::CaseContext{assay::case_seed(line.seed, entry.id), 1}));
    else
      std::printf("  this case cannot explain its tolerance without running: assay run --verbose --only %s tells it\n",
                  shell_quoted(entry.id).c_str());
  }
  return 0;
}

}  // namespace assay_program
