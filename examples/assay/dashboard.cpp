#include "dashboard.hpp"

#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "assay/release/dashboard_html.hpp"
#include "assay/release/expand_matrix.hpp"
#include "assay/release/matrix_file.hpp"
#include "assay/release/pairwise.hpp"
#include "assay/release/results_folder.hpp"
#include "assay/report/json.hpp"
#include "assay/report/read_file.hpp"
#include "fault.hpp"
#include "history_file.hpp"

namespace assay_program {

namespace {

/// The runs of folders of combinations, and what each certifies. Copies of one file count once, as for `assay matrix`.
assay::Result<std::vector<assay::Certification>> add_results(const std::vector<std::string>& roots,
                                                             assay::Dashboard& dashboard) {
  std::vector<assay::Certification> certifications;
  std::set<std::string> known;
  for (const std::string& root : roots) {
    const auto folders = assay::read_results_folder(root);
    if (!folders) return folders.propagate();
    for (const assay::CombinationFolder& folder : folders.value())
      for (const std::filesystem::path& path : folder.runs) {
        const auto text = assay::read_file(path);
        if (!text) return text.propagate();
        if (!known.insert(assay::combination_text(folder.combination) + "\n" + text.value()).second) continue;
        auto run = assay::run_from_json(text.value());
        if (!run) return assay::failure(run.error().kind, "'" + path.string() + "': " + run.error().message);
        certifications.push_back(assay::certify(run.value(), folder.combination, folder.by, path.string()));
        dashboard.runs.push_back({path.string(), folder.combination, std::move(run).value()});
      }
  }
  return certifications;
}

assay::Result<assay::CompatibilityReport> compatibility_of(const DashboardCommandOptions& options,
                                                           std::vector<assay::Certification> certifications) {
  const auto matrix = assay::read_matrix(options.matrix);
  if (!matrix) return matrix.propagate();
  assay::CombinationList promised{0};
  if (options.pairs) {
    auto pairs = assay::pairwise(matrix.value());
    if (!pairs) return pairs.propagate();
    promised = std::move(pairs.value().combinations);
  } else {
    auto expansion = assay::expand(matrix.value());
    if (!expansion) return expansion.propagate();
    promised = std::move(expansion.value().combinations);
  }
  return assay::compatibility_report(matrix.value(), promised, std::move(certifications));
}

assay::Result<assay::Dashboard> dashboard_of(const DashboardCommandOptions& options,
                                             const std::vector<std::string>& runs) {
  assay::Dashboard dashboard;
  dashboard.title = options.title;
  if (!options.gate.empty()) {
    auto gate = assay::read_json(options.gate);
    if (!gate) return gate.propagate();
    if (assay::detail::gate_answer(gate.value()) == nullptr)
      return assay::failure(
          assay::ErrorKind::invalid,
          "'" + options.gate + "' holds no answer of a gate; name the report.json that assay gate --out wrote");
    dashboard.gate = std::move(gate).value();
  }
  auto certifications = add_results(options.results, dashboard);
  if (!certifications) return certifications.propagate();
  if (!options.matrix.empty()) {
    auto report = compatibility_of(options, std::move(certifications).value());
    if (!report) return report.propagate();
    if (dashboard.title.empty()) dashboard.title = report.value().title;
    dashboard.compatibility = std::move(report).value();
  }
  if (!options.history.empty()) {
    auto history = load_history(options.history);
    if (!history) return history.propagate();
    dashboard.history = std::move(history).value();
  }
  auto saved = assay::read_runs({runs.begin(), runs.end()});
  if (!saved) return saved.propagate();
  for (assay::SavedRun& run : saved.value()) dashboard.runs.push_back({run.path.string(), {}, std::move(run.run)});
  return dashboard;
}

}  // namespace

int dashboard(const DashboardCommandOptions& options, const std::vector<std::string>& runs, const std::string& page) {
  std::error_code code;
  if (std::filesystem::is_directory(page, code))
    return fault("--out '" + page + "' is a folder; name the page in it, such as " +
                 (std::filesystem::path(page) / "dashboard.html").string());
  const auto made = dashboard_of(options, runs);
  if (!made) return fault(made.error().message);
  assay::DashboardOptions how;
  how.order = options.order == "version" ? assay::SeriesOrder::version : assay::SeriesOrder::time;
  if (const auto written = assay::write_dashboard(made.value(), page, how); !written)
    return fault(written.error().message);
  std::printf("report: %s\n", page.c_str());
  return 0;
}

}  // namespace assay_program
