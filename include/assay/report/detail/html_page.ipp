#pragma once

#include "assay/report/detail/html_page.hpp"

#include <algorithm>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string HtmlPage::text() {
  const std::string title = escaped_markup(run_.title.empty() ? "Assay report" : run_.title);
  page_ =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';script-src "
      "'unsafe-inline'\">"
      "<title>" +
      escaped_markup(run_verdict(run_).text) + " · " + title + "</title><style>" + page_style + options_.figures_style +
      "</style></head>\n<body>\n<a class=\"skip\" href=\"#cases\">To the cases</a><header><h1>" + title + "</h1>\n" +
      head_markup(run_) + "</header>\n<main>\n";
  if (!run_.outcomes.empty()) {
    page_ += "<h2>Overview</h2>\n" + HtmlOverview(run_).markup() + options_.figures;
    page_ += "<div id=\"cases\" tabindex=\"-1\">" + filters_.toolbar();
    for (const Verdict verdict : verdicts_by_urgency) section(verdict);
    page_ += "<p id=\"nothing\" class=\"note\" hidden>No case matches.</p></div>\n";
  }
  if (unlisted_ > 0)
    page_ += "<p class=\"alert\">" + std::to_string(unlisted_) +
             " more cases are counted above and not listed: the page would grow too large. The JSON report holds "
             "them.</p>\n";
  page_ += "</main>\n<footer>Assay " + escaped_markup(run_.environment.assay_version) +
           ". An error / allowed of 1 is the most that a correct kernel can show.</footer>\n<script>" + page_script +
           "</script>\n</body></html>\n";
  return std::move(page_);
}

ASSAY_DETAIL_HEADER_INLINE const char* HtmlPage::heading(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "Passed";
    case Verdict::fail: return "Failed";
    case Verdict::error: return "Could not be computed";
    case Verdict::skipped: return "Skipped";
    case Verdict::unsupported: return "Unsupported";
    case Verdict::inconclusive: return "Inconclusive";
    case Verdict::new_baseline: return "New baselines";
  }
  return "Could not be computed";
}

ASSAY_DETAIL_HEADER_INLINE void HtmlPage::add_case(std::size_t index, bool open) {
  const Outcome& outcome = run_.outcomes[index];
  if (page_.size() >= options_.bytes) {
    ++unlisted_;
    return;
  }
  const bool short_reason = page_.size() >= options_.bytes_with_details;
  const std::string line = case_line(outcome, short_reason ? 160 : 4000),
                    attributes = " id=\"" + case_anchor(index) + "\"" + filters_.attributes(outcome);
  if (short_reason || (outcome.verdict == Verdict::pass && !passes_in_full_))
    page_ += "<div class=\"row\"" + attributes + ">" + line + "</div>\n";
  else
    page_ += "<details class=\"case\"" + attributes + (open ? " open" : "") + "><summary>" + line + "</summary>" +
             case_details(outcome, page_.size() < options_.bytes_with_charts, options_.rows_of_a_table) +
             "</details>\n";
}

ASSAY_DETAIL_HEADER_INLINE void HtmlPage::add_id(std::size_t index) {
  if (page_.size() >= options_.bytes)
    ++unlisted_;
  else
    page_ += "<div class=\"row\" id=\"" + case_anchor(index) + "\"" + filters_.attributes(run_.outcomes[index]) +
             "><b class=\"" + std::string(name_of(run_.outcomes[index].verdict)) + "\">" +
             verdict_symbol(run_.outcomes[index].verdict) + "</b><span class=\"who\">" +
             id_markup(run_.outcomes[index].id) + "</span></div>\n";
}

ASSAY_DETAIL_HEADER_INLINE void HtmlPage::section(Verdict verdict) {
  std::vector<std::size_t> cases;
  for (std::size_t i = 0; i < run_.outcomes.size(); ++i)
    if (run_.outcomes[i].verdict == verdict) cases.push_back(i);
  if (cases.empty()) return;
  const std::string name(name_of(verdict));
  const bool ran = computed(verdict) || verdict == Verdict::error;
  page_ += "<section id=\"" + section_anchor(verdict) + "\" data-verdict=\"" + name + "\"><h2><span class=\"" + name +
           "\" aria-hidden=\"true\">" + verdict_symbol(verdict) + "</span> " + heading(verdict) + " <small>" +
           std::to_string(cases.size()) + "</small></h2>\n";
  if (ran) page_ += "<p class=\"columns\" aria-hidden=\"true\"><span>error / allowed</span><span>time</span></p>\n";
  if (verdict == Verdict::pass) {
    const std::size_t before = page_.size();
    grouped(cases, false);
    if (page_.size() - before > options_.bytes_with_charts / 2) {
      page_.resize(before);
      unlisted_ = 0;
      passes_in_full_ = false;
      grouped(cases, false);
    }
  } else if (!ran) {
    grouped(cases, true);
  } else {
    std::sort(cases.begin(), cases.end(), [&](std::size_t left, std::size_t right) {
      const double left_rank = HtmlOverview::rank_ratio(run_.outcomes[left]),
                   right_rank = HtmlOverview::rank_ratio(run_.outcomes[right]);
      return left_rank != right_rank ? left_rank > right_rank : left < right;
    });
    for (std::size_t i = 0; i < cases.size(); ++i) add_case(cases[i], i == 0 && verdict == Verdict::fail);
  }
  page_ += "</section>\n";
}

ASSAY_DETAIL_HEADER_INLINE void HtmlPage::grouped(const std::vector<std::size_t>& cases, bool by_reason) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (const std::size_t index : cases) {
    const Outcome& outcome = run_.outcomes[index];
    std::string key = by_reason ? outcome.reason : "";
    if (!by_reason)
      for (const char* name : {"backend", "operation", "formats"})
        if (const std::string label = outcome.label(name); !label.empty()) key += (key.empty() ? "" : " · ") + label;
    groups[key.empty() ? (by_reason ? "no reason was given" : "other cases") : key].push_back(index);
  }
  for (const auto& [key, members] : groups) {
    page_ += "<details class=\"group\"><summary>" + escaped_markup(clipped(visible(key), 400)) + " <small>" +
             std::to_string(members.size()) + "</small></summary>\n";
    for (const std::size_t index : members) by_reason ? add_id(index) : add_case(index, false);
    page_ += "</details>\n";
  }
}

}  // namespace assay::inline v0::detail
