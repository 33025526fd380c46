#include "gate.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/release/dashboard_html.hpp"
#include "assay/release/default_policy.hpp"
#include "assay/release/gate.hpp"
#include "assay/release/gate_markdown.hpp"
#include "assay/release/gate_run.hpp"
#include "assay/release/gate_sarif.hpp"
#include "assay/release/gate_text.hpp"
#include "assay/release/policy_file.hpp"
#include "assay/release/results_folder.hpp"
#include "assay/report/json.hpp"
#include "assay/report/junit.hpp"
#include "assay/report/terminal.hpp"
#include "fault.hpp"

namespace assay_program {

namespace {

using Path = std::filesystem::path;

/// What a gate said, and of what.
struct Answer {
  const assay::GateReport& report;
  assay::Run run;  ///< the answer as outcomes
  std::vector<assay::GateInput> inputs;
};

/// A page that leads from a gate to the outcomes that it saw.
assay::Result<void> write_page(const Answer& answer, const Path& path) {
  assay::Dashboard page;
  page.title = answer.report.title;
  page.gate = answer.run;
  for (const assay::GateInput& input : answer.inputs) page.runs.push_back({input.name, {}, input.run});
  return assay::write_dashboard(page, path);
}

/// A form in which the answer can be written.
struct GateFormat {
  const char* name;
  const char* file;
  assay::Result<void> (*write)(const Answer&, const Path&);
};

const std::vector<GateFormat>& gate_formats() {
  static const std::vector<GateFormat> all{
      {"json", "report.json",
       [](const Answer& answer, const Path& path) { return assay::write_json(answer.run, path); }},
      {"html", "report.html", write_page},
      {"markdown", "report.md",
       [](const Answer& answer, const Path& path) { return assay::write_gate_markdown(answer.report, path); }},
      {"junit", "report.junit.xml",
       [](const Answer& answer, const Path& path) { return assay::write_junit(answer.run, path); }},
      {"sarif", "report.sarif", [](const Answer& answer, const Path& path) {
         return assay::write_gate_sarif(answer.report, answer.run, path);
       }}};
  return all;
}

assay::Result<void> check_formats(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const GateFormat& format : gate_formats()) known.emplace_back(format.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("format", name, known));
  return {};
}

assay::Result<assay::GatePolicy> policy_of(const GateOptions& options) {
  auto policy =
      options.policy.empty() ? assay::parse_policy(assay::default_policy) : assay::read_policy(options.policy);
  if (!policy) return policy;
  for (const std::string& file : options.waivers) {
    const auto more = assay::read_policy(file);
    if (!more) return more.propagate();
    if (!more.value().gates.empty())
      return assay::failure(assay::ErrorKind::invalid,
                            "'" + file + "' has gates; --waivers takes waivers and quarantine alone");
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(policy.value().waivers, more.value().waivers);
    append(policy.value().quarantine, more.value().quarantine);
  }
  if (const auto checked = assay::check(policy.value()); !checked)
    return assay::failure(checked.error().kind, (options.policy.empty() ? "the policy" : "'" + options.policy + "'") +
                                                    ": " + checked.error().message);
  return policy;
}

assay::Result<std::vector<assay::GateInput>> inputs_of(const std::vector<std::string>& places) {
  auto runs = assay::read_runs({places.begin(), places.end()});
  if (!runs) return runs.propagate();
  std::vector<assay::GateInput> inputs;
  for (assay::SavedRun& saved : runs.value()) inputs.push_back({saved.path.string(), std::move(saved.run)});
  return inputs;
}

assay::Result<void> write_reports(const GateOptions& options, Answer answer, const std::string& command) {
  std::error_code code;
  std::filesystem::create_directories(options.output_folder, code);
  if (code)
    return assay::failure(assay::ErrorKind::io,
                          "--out '" + options.output_folder + "' cannot be made: " + code.message());
  answer.run = assay::gate_run(answer.report);
  answer.run.command = command;
  answer.run.environment = assay::detect_environment();
  for (const GateFormat& format : gate_formats()) {
    if (!options.formats.empty() &&
        std::find(options.formats.begin(), options.formats.end(), format.name) == options.formats.end())
      continue;
    const Path path = Path(options.output_folder) / format.file;
    if (const auto written = format.write(answer, path); !written) return written;
    std::printf("report: %s\n", path.string().c_str());
  }
  return {};
}

}  // namespace

int gate(const GateOptions& options, const std::string& command) {
  if (options.print_default_policy) {
    std::fwrite(assay::default_policy.data(), 1, assay::default_policy.size(), stdout);
    return 0;
  }
  if (const auto formats = check_formats(options.formats); !formats) return fault(formats.error().message);
  if (!options.formats.empty() && options.output_folder.empty())
    return fault("--format says how to write the answer, and --out is missing; give --out DIR");
  assay::CalendarDate today = assay::current_date();
  if (!options.today.empty()) {
    const auto read = assay::parse_calendar_date(options.today);
    if (!read) return fault("--today: " + read.error().message);
    today = read.value();
  }
  const auto policy = policy_of(options);
  if (!policy) return fault(policy.error().message);
  return judge_by(policy.value(), options, today, command);
}

int judge_by(const assay::GatePolicy& policy, const GateOptions& options, const assay::CalendarDate& today,
             const std::string& command) {
  auto read = inputs_of(options.results);
  if (!read) return fault(read.error().message);
  std::vector<assay::GateInput> inputs = std::move(read).value();
  const auto earlier = inputs_of(options.previous);
  if (!earlier) return fault(earlier.error().message);
  auto not_run = assay::combinations_without_run({options.results.begin(), options.results.end()});
  if (!not_run) return fault(not_run.error().message);
  const auto report = assay::judge_release(policy, inputs, today, std::move(not_run).value(),
                                           assay::absent_since(earlier.value(), inputs));
  if (!report) return fault(report.error().message);
  const std::size_t columns = assay::can_rewrite_lines(stdout) ? assay::terminal_columns(stdout) : 160;
  for (const std::string& line : assay::gate_lines(report.value(), {40, columns})) std::printf("%s\n", line.c_str());
  if (!options.output_folder.empty())
    if (const auto written = write_reports(options, {report.value(), {}, std::move(inputs)}, command); !written)
      return fault(written.error().message);
  return report.value().exit_code();
}

}  // namespace assay_program
