#pragma once

#include "assay/report/detail/html_filters.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE HtmlFilters::HtmlFilters(const Run& run) : run_(run) {
  constexpr std::size_t most_options = 300;
  for (const char* name : {"family", "operation", "backend", "formats", "data", "check", "ended"}) {
    Label label{name, {}};
    for (const Outcome& outcome : run.outcomes) label.positions[value_of(outcome, name)] = 0;
    if (label.positions.size() < 2 || label.positions.size() > most_options) continue;
    std::size_t position = 0;
    for (auto& entry : label.positions) entry.second = position++;
    labels_.push_back(std::move(label));
  }
}

ASSAY_DETAIL_HEADER_INLINE std::string HtmlFilters::attributes(const Outcome& outcome) const {
  std::string positions;
  for (const Label& label : labels_)
    positions.append(positions.empty() ? "" : " ")
        .append(std::to_string(label.positions.at(value_of(outcome, label.name))));
  std::string markup = " data-labels=\"" + positions + "\"";
  if (const auto ratio = outcome.measurement(measurement::worst_error_ratio); ratio && computed(outcome.verdict))
    markup += " data-ratio=\"" + number_text(*ratio) + "\"";
  return markup + " data-seconds=\"" + number_text(outcome.duration_seconds) + "\"";
}

ASSAY_DETAIL_HEADER_INLINE std::string HtmlFilters::toolbar() const {
  std::string markup =
      "<form id=\"filters\" role=\"search\" aria-label=\"Cases\"><div class=\"field wide\"><label "
      "for=\"words\">Search</label><input "
      "id=\"words\" type=\"search\" "
      "placeholder=\"words of the id or the reason\" autocomplete=\"off\" spellcheck=\"false\"></div><div "
      "class=\"chips\" role=\"group\" "
      "aria-label=\"Verdicts\">";
  for (const Verdict verdict : verdicts_by_urgency)
    if (const std::size_t count = run_.count(verdict); count > 0)
      markup += "<button type=\"button\" class=\"chip " + std::string(name_of(verdict)) +
                "\" aria-pressed=\"false\" data-verdict=\"" + std::string(name_of(verdict)) +
                "\"><span aria-hidden=\"true\">" + verdict_symbol(verdict) + "</span> " +
                std::string(counted_name_of(verdict)) + " <b>" + std::to_string(count) + "</b></button>";
  markup += "</div><div class=\"fields\">";
  for (const Label& label : labels_) {
    const std::string id = std::string("label-") + label.name;
    markup += "<div class=\"field\"><label for=\"" + id + "\">" + label.name + "</label><select id=\"" + id +
              "\" data-label=\"" + label.name + "\"><option value=\"\">all</option>";
    for (const auto& [value, position] : label.positions)
      markup += "<option value=\"" + escaped_markup(value) + "\">" + escaped_markup(clipped(visible(value), 60)) +
                "</option>";
    markup += "</select></div>";
  }
  return markup +
         "<div class=\"field\"><label for=\"sort\">sorted by</label><select id=\"sort\"><option "
         "value=\"\">groups</option><option "
         "value=\"ratio\">error / allowed, "
         "largest first</option><option value=\"time\">time, longest first</option><option "
         "value=\"id\">id</option></select></div></div><p class=\"matches\"><span "
         "id=\"matches\" role=\"status\"></span> <button type=\"reset\" id=\"clear\" "
         "hidden>Clear</button></p></form>\n";
}

}  // namespace assay::inline v0::detail
