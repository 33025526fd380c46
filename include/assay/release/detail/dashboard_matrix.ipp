#pragma once

#include "assay/release/detail/dashboard_matrix.hpp"

#include <algorithm>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] constexpr CellLook cell_look(CompatibilityState state) noexcept {
  switch (state) {
    case CompatibilityState::certified: return {"certified", "✓"};
    case CompatibilityState::failed: return {"failed", "✗"};
    case CompatibilityState::undecided: return {"undecided", "?"};
    case CompatibilityState::conflict: return {"conflict", "⚡"};
    case CompatibilityState::hole: return {"hole", "○"};
  }
  return {"hole", "○"};
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardMatrix::section() const {
  std::string text = "<section id=\"matrix\"><h2>Version matrix <small>" + std::to_string(report_.entries.size()) +
                     "</small></h2>\n<p>" + escaped_markup(compatibility_line(report_)) + "</p>\n" + legend();
  double cells = 1;
  for (const MatrixAxis& axis : report_.axes) cells *= static_cast<double>(axis.values.size());
  text += cells <= static_cast<double>(options_.matrix_cells) && !report_.axes.empty() ? nested() : by_pairs();
  for (const CompatibilityConflict& conflict : report_.conflicts)
    text += "<p class=\"alert\">" + escaped_markup(clipped(visible(conflict.combination + ": " + conflict.what), 600)) +
            "</p>\n";
  return text + combinations() + strangers() + "</section>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardMatrix::legend() {
  std::string text = "<p class=\"legend matrix-legend\">";
  for (const CompatibilityState state :
       {CompatibilityState::certified, CompatibilityState::failed, CompatibilityState::conflict,
        CompatibilityState::undecided, CompatibilityState::hole})
    text += std::string("<i class=\"") + cell_look(state).style + "\">" + cell_look(state).symbol + "</i><span>" +
            (state == CompatibilityState::hole ? "hole: nobody tested it" : std::string(name_of(state))) + "</span>";
  return text + "<i class=\"excluded\"></i><span>not promised</span></p>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::size_t> DashboardMatrix::positions(std::size_t first, std::size_t last,
                                                                               std::size_t i) const {
  std::vector<std::size_t> found(last - first);
  for (std::size_t axis = last; axis-- > first;) {
    found[axis - first] = i % report_.axes[axis].values.size();
    i /= report_.axes[axis].values.size();
  }
  return found;
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardMatrix::nested() const {
  const std::size_t axes = report_.axes.size(), split = (axes + 1) / 2, rows = product(0, split),
                    columns = product(split, axes);
  std::map<std::vector<std::string>, std::size_t> entries;
  for (std::size_t i = 0; i < report_.entries.size(); ++i) entries.emplace(report_.entries[i].values, i);
  const auto names = [&](std::size_t first, std::size_t last) {
    std::string list;
    for (std::size_t axis = first; axis < last; ++axis)
      list += (axis == first ? "" : ", ") + escaped_markup(clipped(visible(report_.axes[axis].name), 40));
    return list;
  };
  std::string text = "<p class=\"note\">Down: " + names(0, split) +
                     (split < axes ? ". Across: " + names(split, axes) : "") +
                     ".</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"version matrix\"><table "
                     "class=\"matrix\"><thead>";
  for (std::size_t axis = split; axis < axes; ++axis) {
    const std::size_t span = product(axis + 1, axes), count = columns / span;
    text += "<tr>";
    if (axis == split)
      for (std::size_t row_axis = 0; row_axis < split; ++row_axis)
        text += "<th class=\"axis\" rowspan=\"" + std::to_string(axes - split) + "\">" +
                escaped_markup(clipped(visible(report_.axes[row_axis].name), 40)) + "</th>";
    for (std::size_t i = 0; i < count; ++i)
      text += "<th scope=\"col\" colspan=\"" + std::to_string(span) + "\"" +
              (span > 1 || axis == split ? " class=\"edge\"" : "") + ">" +
              value(axis, i % report_.axes[axis].values.size()) + "</th>";
    text += "</tr>";
  }
  text += "</thead><tbody>";
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<std::size_t> down = positions(0, split, row);
    text += row % product(1, split) == 0 ? "<tr class=\"edge\">" : "<tr>";
    for (std::size_t axis = 0; axis < split; ++axis)
      if (const std::size_t span = product(axis + 1, split); row % span == 0)
        text += "<th scope=\"row\" rowspan=\"" + std::to_string(span) + "\">" + value(axis, down[axis]) + "</th>";
    for (std::size_t column = 0; column < columns; ++column) {
      std::vector<std::string> values;
      for (std::size_t axis = 0; axis < split; ++axis) values.push_back(report_.axes[axis].values[down[axis]]);
      const std::vector<std::size_t> across = positions(split, axes, column);
      for (std::size_t axis = split; axis < axes; ++axis)
        values.push_back(report_.axes[axis].values[across[axis - split]]);
      const auto entry = entries.find(values);
      const std::string edge = axes > split && columns > 1 &&
                                       column % std::max<std::size_t>(product(split + 1, axes), 1) == 0 &&
                                       product(split + 1, axes) > 1
                                   ? " edge"
                                   : "";
      text += entry == entries.end() ? "<td class=\"excluded" + edge + "\"></td>" : cell(entry->second, edge);
    }
    text += "</tr>";
  }
  return text + "</tbody></table></div>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardMatrix::cell(std::size_t index, const std::string& edge) const {
  const CompatibilityEntry& entry = report_.entries[index];
  const CellLook look = cell_look(entry.state);
  const std::string name =
      escaped_markup(clipped(visible(values_text(report_, entry)), 300)) + ": " + std::string(name_of(entry.state));
  return std::string("<td class=\"") + look.style + edge + "\"><a href=\"#combination-" + std::to_string(index) +
         "\" data-cell=\"" + std::to_string(index) + "\" title=\"" + name + "\" aria-label=\"" + name + "\">" +
         look.symbol + "</a></td>";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardMatrix::by_pairs() const {
  constexpr std::size_t most_tables = 15;
  std::string text;
  std::size_t tables = 0;
  for (std::size_t row = 0; row < report_.axes.size(); ++row)
    for (std::size_t column = row + 1; column < report_.axes.size() && tables < most_tables; ++column) {
      const auto grid = compatibility_grid(report_, report_.axes[row].name, report_.axes[column].name);
      if (!grid) continue;
      ++tables;
      text += "<h3>" + escaped_markup(report_.axes[row].name + " × " + report_.axes[column].name) + "</h3>" +
              table_markup(grid_table(grid.value()), 200);
    }
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardMatrix::combinations() const {
  std::vector<std::size_t> order(report_.entries.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto urgency = [&](std::size_t i) {
    switch (report_.entries[i].state) {
      case CompatibilityState::failed: return 0;
      case CompatibilityState::conflict: return 1;
      case CompatibilityState::undecided: return 2;
      case CompatibilityState::hole: return 3;
      case CompatibilityState::certified: return 4;
    }
    return 5;
  };
  detail::stable_sort(order, [&](std::size_t left, std::size_t right) { return urgency(left) < urgency(right); });
  std::string text = "<details class=\"group\" id=\"combinations\"><summary>Who certified what, when, where <small>" +
                     std::to_string(report_.entries.size()) + "</small></summary>\n";
  for (std::size_t i = 0; i < order.size() && i < options_.listed_combinations; ++i) text += combination(order[i]);
  if (order.size() > options_.listed_combinations)
    text += "<p class=\"note\">and " + std::to_string(order.size() - options_.listed_combinations) +
            " more; assay matrix tells all of them</p>\n";
  return text + "</details>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardMatrix::combination(std::size_t index) const {
  constexpr std::size_t most_failures = 8;
  const CompatibilityEntry& entry = report_.entries[index];
  const CellLook look = cell_look(entry.state);
  std::string text = "<div class=\"row combination\" id=\"combination-" + std::to_string(index) +
                     "\"><b class=\"cell " + look.style + "\">" + look.symbol +
                     "</b><span class=\"who\"><span class=\"id\">" +
                     escaped_markup(clipped(visible(values_text(report_, entry)), 300)) + "</span>";
  if (entry.certifications.empty()) text += "<span class=\"why\">nobody tested it</span>";
  for (const std::size_t at : entry.certifications) {
    const Certification& certification = report_.certifications[at];
    text += "<span class=\"why\">" + std::string(name_of(certification.verdict)) +
            (certification.cut_short ? ", cut short" : "") + " by " + told(certification.by, "?") + ", " +
            told(certification.when, "no date") + ", on " + told(certification.host, "?") +
            (certification.environment.empty() ? "" : " (" + told(certification.environment, "") + ")") + ", " +
            told(certification.source, "") + "</span>";
    std::size_t wrong = 0;
    std::string list;
    for (const auto& [id, verdict] : certification.outcomes)
      if ((verdict == Verdict::fail || verdict == Verdict::error) && ++wrong <= most_failures)
        list += "<li>" + failures_.link(id) + "</li>";
    if (wrong > most_failures) list += "<li>and " + std::to_string(wrong - most_failures) + " more</li>";
    if (!list.empty()) text += "<ul class=\"findings\">" + list + "</ul>";
  }
  return text + "</span></div>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardMatrix::strangers() const {
  if (report_.strangers.empty()) return {};
  std::string text = "<details class=\"group\"><summary>Runs of what was not promised <small>" +
                     std::to_string(report_.strangers.size()) + "</small></summary><ul class=\"findings\">";
  for (std::size_t i = 0; i < report_.strangers.size() && i < 100; ++i) {
    const auto& [index, why] = report_.strangers[i];
    text += "<li>" + told(report_.certifications[index].source, "a run") + ": " +
            told(combination_text(report_.certifications[index].combination), "no combination") + ": " +
            escaped_markup(clipped(visible(why), 400)) + "</li>";
  }
  return text + "</ul></details>\n";
}

}  // namespace assay::inline v0::detail
