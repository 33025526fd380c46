#pragma once

#include "assay/diagnosis/name_faults.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Table confusion_matrix(const std::vector<NamedFault>& named) {
  Table table{"declared class by named class", {"declared"}, {}};
  for (const FaultClass one : all_fault_classes) table.columns.emplace_back(name_of(one));
  for (const char* column : {"undiagnosed", "cases", "rightly", "wrongly", "wrongly with certain"})
    table.columns.emplace_back(column);
  const auto percent = [](std::size_t part, std::size_t whole) {
    const double share = whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
    return detail::printed_number(share, 1, std::chars_format::fixed) + " %";
  };
  const auto add = [&](const std::string& title, auto&& counts) {
    std::vector<std::size_t> by_class(all_fault_classes.size() + 1);
    std::size_t cases = 0, right = 0, wrong = 0, certain = 0;
    for (const NamedFault& one : named) {
      if (!counts(one)) continue;
      ++cases;
      ++by_class[one.diagnosed() ? static_cast<std::size_t>(one.diagnoses.front().fault_class)
                                 : all_fault_classes.size()];
      right += one.rightly() ? 1 : 0;
      wrong += one.diagnosed() && !one.rightly() ? 1 : 0;
      certain += one.wrongly_certain() ? 1 : 0;
    }
    if (cases == 0) return;
    std::vector<std::string> row{title};
    for (const std::size_t count : by_class) row.push_back(count > 0 ? std::to_string(count) : "");
    for (const std::string& cell :
         {std::to_string(cases), percent(right, cases), percent(wrong, cases), percent(certain, cases)})
      row.push_back(cell);
    table.rows.push_back(row);
  };
  for (const FaultClass one : all_fault_classes)
    add(std::string(name_of(one)), [&](const NamedFault& fault) { return fault.declared == one; });
  add("all", [](const NamedFault&) { return true; });
  return table;
}

}  // namespace assay::inline v0
