#include "report_format.hpp"

#include <algorithm>

#include "assay/core/nearest_name.hpp"
#include "assay/report/html.hpp"
#include "assay/report/json.hpp"
#include "assay/report/junit.hpp"
#include "assay/report/markdown.hpp"
#include "assay/report/ocp.hpp"
#include "assay/report/sarif.hpp"

namespace assay_program {

const std::vector<ReportFormat>& report_formats() {
  using assay::Run;
  using Path = std::filesystem::path;
  static const std::vector<ReportFormat> all{
      {"json", "report.json", "all there is, for programs",
       [](const Run& run, const Path& path) { return assay::write_json(run, path); }},
      {"html", "report.html", "one page, for people",
       [](const Run& run, const Path& path) { return assay::write_html(run, path); }},
      {"junit", "report.junit.xml", "for build servers",
       [](const Run& run, const Path& path) { return assay::write_junit(run, path); }},
      {"sarif", "report.sarif", "for code scanning",
       [](const Run& run, const Path& path) { return assay::write_sarif(run, path); }},
      {"markdown", "report.md", "for comments and summaries",
       [](const Run& run, const Path& path) { return assay::write_markdown(run, path); }},
      {"ocp", "report.ocp.jsonl", "OCP Test & Validation",
       [](const Run& run, const Path& path) { return assay::write_ocp(run, path); }}};
  return all;
}

assay::Result<std::vector<const ReportFormat*>> report_formats_named(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const ReportFormat& format : report_formats()) known.push_back(format.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("report format", name, known));
  std::vector<const ReportFormat*> formats;
  for (const ReportFormat& format : report_formats())
    if (std::find(names.begin(), names.end(), format.name) != names.end()) formats.push_back(&format);
  return formats;
}

}  // namespace assay_program
