#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/stable_sort.hpp"
#include "assay/release/compatibility_grid.hpp"
#include "assay/release/compatibility_report.hpp"
#include "assay/release/compatibility_text.hpp"
#include "assay/release/dashboard_options.hpp"
#include "assay/release/detail/dashboard_failures.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"

namespace assay::inline v0::detail {

struct CellLook {
  const char* style;
  const char* symbol;
};

/// The version matrix: a cell a combination, nested by axes, and what is known of each.
class DashboardMatrix {
 public:
  DashboardMatrix(const CompatibilityReport& report, const DashboardOptions& options, const DashboardFailures& failures)
      : report_(report), options_(options), failures_(failures) {}

  [[nodiscard]] std::string section() const;

 private:
  [[nodiscard]] static std::string legend();

  /// Positions on the axes [first, last) of the i-th combination of theirs, the last one running fastest.
  [[nodiscard]] std::vector<std::size_t> positions(std::size_t first, std::size_t last, std::size_t i) const;
  [[nodiscard]] std::size_t product(std::size_t first, std::size_t last) const {
    std::size_t number = 1;
    for (std::size_t axis = first; axis < last; ++axis) number *= report_.axes[axis].values.size();
    return number;
  }

  /// The first half of the axes down, the others across. Each value stands once over all that it governs.
  [[nodiscard]] std::string nested() const;

  [[nodiscard]] std::string value(std::size_t axis, std::size_t position) const {
    return escaped_markup(clipped(visible(report_.axes[axis].values[position]), 40));
  }

  [[nodiscard]] std::string cell(std::size_t index, const std::string& edge) const;

  /// Certified of promised over every two axes: what a matrix of more combinations than a page can hold still shows.
  [[nodiscard]] std::string by_pairs() const;

  [[nodiscard]] std::string combinations() const;

  [[nodiscard]] std::string combination(std::size_t index) const;

  [[nodiscard]] static std::string told(const std::string& text, const char* otherwise) {
    return text.empty() ? otherwise : escaped_markup(clipped(visible(text), 200));
  }

  [[nodiscard]] std::string strangers() const;

  const CompatibilityReport& report_;
  const DashboardOptions& options_;
  const DashboardFailures& failures_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/dashboard_matrix.ipp"
#endif
