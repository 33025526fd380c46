#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/report/detail/html_filters.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/ratio_strip.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// The table of backend × operation × formats: counts that lead to their cases, the worst error / allowed and how it is
/// distributed over the cases. On a phone each row becomes a card. A long table is folded.
class HtmlOverview {
 public:
  explicit HtmlOverview(const Run& run);

  [[nodiscard]] std::string markup() const;

  /// Larger is worse; a NaN, and a case that measured nothing, is worst.
  [[nodiscard]] static double rank_ratio(const Outcome& outcome) {
    const double ratio =
        outcome.measurement(measurement::worst_error_ratio).value_or(std::numeric_limits<double>::infinity());
    return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string>;
  struct Row {
    std::vector<double> ratios;
    std::size_t quick = 0;
    std::optional<std::size_t> failing;  ///< the worst of the cases that failed
    std::optional<std::size_t> worst;    ///< the worst of all
  };

  static Key key_of(const Outcome& outcome) {
    const auto named = [](const std::string& label) { return label.empty() ? std::string("-") : label; };
    return {named(outcome.label("backend")), named(outcome.label("operation")), named(outcome.label("formats"))};
  }
  static std::string heading(Verdict verdict) {
    return verdict == Verdict::new_baseline
               ? "new"
               : std::string(counted_name_of(verdict) == "with an error" ? "error" : counted_name_of(verdict));
  }

  [[nodiscard]] std::string row_markup(const SummaryRow& row, const Row& details, bool total) const;

  [[nodiscard]] std::string count_cell(const SummaryRow& row, const Row& details, Verdict verdict, bool total) const;

  Summary summary_;
  bool folded_ = false;  ///< since the table is long
  RatioAxis axis_;
  std::map<Key, Row> rows_;
  std::vector<Verdict> verdicts_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/detail/html_overview.ipp"
#endif
