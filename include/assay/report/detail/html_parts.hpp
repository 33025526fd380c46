#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/table.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"
#include "assay/report/text_table.hpp"

/// Small pieces of markup that several parts of the HTML report share.
namespace assay::inline v0::detail {

/// "1 case", "2 cases".
[[nodiscard]] inline std::string counted(std::size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/// A pass that looked at some of the elements only, or at a residual: label "check" = "residual", "sampled".
[[nodiscard]] inline bool quick_pass(const Outcome& outcome) {
  const std::string check = outcome.label("check");
  return outcome.verdict == Verdict::pass && !check.empty() && check != "full";
}

/// The style class of a case's verdict. Quick passes have their own: they must not look like full ones.
[[nodiscard]] inline std::string verdict_class(const Outcome& outcome) {
  return quick_pass(outcome) ? "quick" : std::string(name_of(outcome.verdict));
}

/// Verdicts as symbols, so that colour is never the only carrier.
[[nodiscard]] inline const char* verdict_symbol(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "✓";
    case Verdict::fail: return "✗";
    case Verdict::error: return "!";
    case Verdict::inconclusive: return "?";
    case Verdict::new_baseline: return "+";
    case Verdict::skipped: return "–";
    case Verdict::unsupported: return "∅";
  }
  return "!";
}
inline constexpr const char* quick_symbol = "≈";

/// The place in the page where the cases of a verdict begin.
[[nodiscard]] inline std::string section_anchor(Verdict verdict) {
  return "cases-" + std::string(name_of(verdict));
}
/// The place of one case, by its position in the suite.
[[nodiscard]] inline std::string case_anchor(std::size_t index) {
  return "case-" + std::to_string(index);
}

/// An id that may break after each of its parts.
[[nodiscard]] inline std::string id_markup(std::string_view id) {
  std::string markup = "<span class=\"id\">";
  for (const char letter : escaped_markup(clipped(visible(id), 400))) {
    markup += letter;
    if (letter == '/') markup += "<wbr>";
  }
  return markup + "</span>";
}

/// A command with a button that copies it; the button shows where the script runs.
[[nodiscard]] inline std::string command_markup(std::string_view command) {
  return "<div class=\"command\"><pre>" + escaped_markup(command) + "</pre><button type=\"button\" class=\"copy\">Copy</button></div>";
}

/// A table, its columns of numbers aligned to the right, in a box of its own that scrolls. Beyond `most_rows` it says how
/// many rows are left out.
[[nodiscard]] inline std::string table_markup(const Table& table, std::size_t most_rows) {
  std::vector<bool> numeric(table.columns.size());
  for (std::size_t column = 0; column < numeric.size(); ++column) numeric[column] = numeric_column(table, column);
  std::string markup = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                       escaped_markup(table.title.empty() ? "table" : table.title) + "\"><table class=\"data\"><thead><tr>";
  for (std::size_t column = 0; column < numeric.size(); ++column)
    markup += (numeric[column] ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">") + escaped_markup(table.columns[column]) + "</th>";
  if (numeric.empty()) markup += "<th></th>";
  markup += "</tr></thead><tbody>";
  for (std::size_t i = 0; i < table.rows.size() && i < most_rows; ++i) {
    markup += "<tr>";
    for (std::size_t column = 0; column < numeric.size(); ++column) {
      const std::string cell = column < table.rows[i].size() ? table.rows[i][column] : std::string();
      markup += (numeric[column]             ? "<td class=\"n\">"
                 : display_width(cell) <= 32 ? "<td class=\"k\">"
                                             : "<td>") +
                escaped_markup(cell) + "</td>";
    }
    markup += numeric.empty() ? "<td></td></tr>" : "</tr>";
  }
  markup += "</tbody></table></div>";
  if (table.rows.size() > most_rows) markup += "<p class=\"note\">and " + counted(table.rows.size() - most_rows, "more row") + "</p>";
  return markup;
}

/// Text of any kind as a part of a URL's fragment.
[[nodiscard]] inline std::string percent_encoded(std::string_view text) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' ||
        byte == '_')
      encoded += letter;
    else
      encoded += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return encoded;
}

}  // namespace assay::inline v0::detail
