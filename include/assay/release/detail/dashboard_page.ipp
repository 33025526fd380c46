#pragma once

#include "assay/release/detail/dashboard_page.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string DashboardPage::text() const {
  const std::string title =
      escaped_markup(dashboard_.title.empty() ? "Release dashboard" : clipped(visible(dashboard_.title), 300));
  const RunVerdict verdict = answer();
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';script-src "
      "'unsafe-inline'\"><title>" +
      escaped_markup(verdict.text) + " · " + title + "</title><style>" + page_style + dashboard_style +
      "</style></head>\n<body>\n<header><h1>" + title + "</h1>\n<p class=\"verdict " + verdict.style +
      "\"><span aria-hidden=\"true\">" + verdict.symbol + "</span> " + escaped_markup(verdict.text) + "</p>\n" +
      reason() + navigation() + "</header>\n<main>\n";
  if (dashboard_.gate) page += gate_section(*dashboard_.gate, failures_);
  page += failures_.section();
  if (dashboard_.compatibility) page += DashboardMatrix(*dashboard_.compatibility, options_, failures_).section();
  if (trends_) page += trends_->section();
  if (outcomes_.size() > 0) page += explorer();
  return page +
         "</main>\n<footer>Made by Assay. An error / allowed of 1 is the most that a correct kernel can "
         "show.</footer>\n<script "
         "type=\"application/json\" id=\"data\">" +
         outcomes_.json() + "</script>\n<script>" + page_script + "</script>\n<script>" + dashboard_script +
         "</script>\n</body></html>\n";
}

ASSAY_DETAIL_HEADER_INLINE RunVerdict DashboardPage::answer() const {
  if (dashboard_.gate) {
    const Outcome* gate = gate_answer(*dashboard_.gate);
    if (gate == nullptr) return {"inconclusive", "?", "The gate gave no answer"};
    if (gate->verdict == Verdict::pass) return {"pass", "✓", "Approved"};
    return gate->verdict == Verdict::fail ? RunVerdict{"fail", "✗", "Blocked"}
                                          : RunVerdict{"inconclusive", "?", "The gate cannot tell"};
  }
  const std::size_t wrong = count(Verdict::fail) + count(Verdict::error);
  if (wrong > 0)
    return {"fail", "✗",
            std::to_string(wrong) + " of " + counted(outcomes_.size(), "outcome") + " failed or could not be computed"};
  if (outcomes_.size() > 0)
    return {"inconclusive", "?", "Nothing failed of " + counted(outcomes_.size(), "outcome") + "; no gate judged it"};
  if (trends_)
    return {"inconclusive", "?",
            "The level of " + std::to_string(trends_->changed()) + " of " + counted(trends_->size(), "metric") +
                " changed"};
  return {"inconclusive", "?", "There are no results"};
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardPage::reason() const {
  const Outcome* gate = dashboard_.gate ? gate_answer(*dashboard_.gate) : nullptr;
  if (gate == nullptr) return {};
  const std::size_t colon = gate->reason.find(": ");
  return "<p class=\"reason\">" +
         escaped_markup(
             clipped(visible(colon == std::string::npos ? gate->reason : gate->reason.substr(colon + 2)), 600)) +
         "</p>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardPage::navigation() const {
  std::string text = "<nav aria-label=\"parts of this page\">";
  const auto part = [&](bool there, const char* anchor, const char* name, std::size_t number, const char* what) {
    if (there)
      text += std::string("<a href=\"#") + anchor + "\">" + name + " <small>" + std::to_string(number) + what +
              "</small></a>";
  };
  std::size_t gates = 0;
  if (dashboard_.gate)
    for (const Outcome& outcome : dashboard_.gate->outcomes)
      gates += outcome.label("state") == "violated" || outcome.label("state") == "cannot tell" ? 1 : 0;
  if (const Outcome* gate = dashboard_.gate ? gate_answer(*dashboard_.gate) : nullptr;
      gate != nullptr && gates > 0 && gate->label("state") == "cannot tell")
    --gates;
  part(dashboard_.gate.has_value(), "gate", "Gate", gates, " open");
  part(failures_.size() > 0, "failures", "Failures", failures_.size(), "");
  if (dashboard_.compatibility)
    part(true, "matrix", "Matrix", dashboard_.compatibility->count(CompatibilityState::hole), " untested");
  if (trends_) part(true, "trends", "Trends", trends_->changed(), " changed");
  part(outcomes_.size() > 0, "outcomes", "Outcomes", outcomes_.size(), "");
  return text + "</nav>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardPage::explorer() const {
  std::string text = "<section id=\"outcomes\" tabindex=\"-1\"><h2>All outcomes <small>" +
                     std::to_string(outcomes_.size()) + "</small></h2>\n" + verdict_bar() +
                     "<p class=\"note scriptless\">With JavaScript, all of them can be searched here.</p>\n<div "
                     "id=\"explorer\" hidden></div>\n";
  if (outcomes_.without_details() > 0)
    text +=
        "<p class=\"note\">Of " + std::to_string(outcomes_.without_details()) +
        " that did not pass the details are left out: the page would grow too large. The JSON reports hold them.</p>\n";
  return text + "</section>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardPage::verdict_bar() const {
  std::string bar, list;
  for (const Verdict verdict : verdicts_by_urgency) {
    const std::size_t number = count(verdict);
    if (number == 0) continue;
    const std::string name(name_of(verdict));
    bar += "<span class=\"" + name + "\" style=\"flex:" + std::to_string(number) + "\"></span>";
    list += "<li class=\"" + name + "\"><span aria-hidden=\"true\">" + verdict_symbol(verdict) + "</span> <b>" +
            std::to_string(number) + "</b> " + std::string(counted_name_of(verdict)) + "</li>";
  }
  return "<div class=\"bar\" aria-hidden=\"true\">" + bar + "</div><ul class=\"totals\">" + list + "</ul>\n";
}

}  // namespace assay::inline v0::detail
