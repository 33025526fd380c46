#pragma once

#include "assay/report/html_parts.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE const char* verdict_symbol(Verdict verdict) {
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

ASSAY_DETAIL_HEADER_INLINE std::string id_markup(std::string_view id) {
  std::string markup = "<span class=\"id\">";
  for (const char letter : escaped_markup(clipped(visible(id), 400))) {
    markup += letter;
    if (letter == '/') markup += "<wbr>";
  }
  return markup + "</span>";
}

ASSAY_DETAIL_HEADER_INLINE std::string table_markup(const Table& table, std::size_t most_rows) {
  std::vector<bool> numeric(table.columns.size());
  for (std::size_t column = 0; column < numeric.size(); ++column) numeric[column] = numeric_column(table, column);
  std::string markup = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                       escaped_markup(table.title.empty() ? "table" : table.title) +
                       "\"><table class=\"data\"><thead><tr>";
  for (std::size_t column = 0; column < numeric.size(); ++column)
    markup += (numeric[column] ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">") +
              escaped_markup(table.columns[column]) + "</th>";
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
  if (table.rows.size() > most_rows)
    markup += "<p class=\"note\">and " + counted(table.rows.size() - most_rows, "more row") + "</p>";
  return markup;
}

ASSAY_DETAIL_HEADER_INLINE std::string percent_encoded(std::string_view text) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '-' ||
        byte == '.' || byte == '_')
      encoded += letter;
    else
      encoded += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return encoded;
}

}  // namespace assay::inline v0::detail
