#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/report/findings.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// The controls that narrow the list of cases, and what each case carries for them: for every label that can be chosen,
/// the position of the case's value among that label's options.
class HtmlFilters {
 public:
  explicit HtmlFilters(const Run& run);

  /// What a case carries: the positions of its labels, error / allowed if it has one, and how long it took.
  [[nodiscard]] std::string attributes(const Outcome& outcome) const;

  /// Shown only where the script of the page runs.
  [[nodiscard]] std::string toolbar() const;

  /// The fragment that chooses one verdict of a backend's family of operations, which stands where rows have their
  /// operation.
  [[nodiscard]] static std::string fragment_of_family(const SummaryRow& row, Verdict verdict) {
    return "verdict=" + std::string(name_of(verdict)) + "&family=" + percent_encoded(row.operation) +
           "&backend=" + percent_encoded(row.backend);
  }
  /// The fragment that chooses one verdict in one row of the overview.
  [[nodiscard]] static std::string fragment(const SummaryRow& row, Verdict verdict) {
    return "verdict=" + std::string(name_of(verdict)) + "&operation=" + percent_encoded(row.operation) +
           "&backend=" + percent_encoded(row.backend) + "&formats=" + percent_encoded(row.formats);
  }

 private:
  struct Label {
    std::string name;
    std::map<std::string, std::size_t> positions;
  };
  static std::string value_of(const Outcome& outcome, const std::string& name) {
    if (name == "family") return family_of(outcome);
    const std::string value = outcome.label(name);
    return !value.empty() ? value : name == "check" ? "full" : "-";
  }

  const Run& run_;
  std::vector<Label> labels_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/detail/html_filters.ipp"
#endif
