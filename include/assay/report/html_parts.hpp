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

/// Verdicts as symbols, so that color is never the only carrier.
[[nodiscard]] const char* verdict_symbol(Verdict verdict);
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
[[nodiscard]] std::string id_markup(std::string_view id);

/// A command with a button that copies it; the button shows where the script runs.
[[nodiscard]] inline std::string command_markup(std::string_view command) {
  return "<div class=\"command\"><pre>" + escaped_markup(command) +
         "</pre><button type=\"button\" class=\"copy\">Copy</button></div>";
}

/// A table, its columns of numbers aligned to the right, in a box of its own that scrolls. Beyond `most_rows` it says
/// how many rows are left out.
[[nodiscard]] std::string table_markup(const Table& table, std::size_t most_rows);

/// Text of any kind as a part of a URL's fragment.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/html_parts.ipp"
#endif
