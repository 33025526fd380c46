#pragma once

#include "assay/hardware/memory/march_coverage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "assay/core/config.hpp"
#include "assay/hardware/memory/run_march.hpp"
#include "assay/hardware/memory/simulated_memory.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<CellFault> cell_faults(CellFaultKind kind, std::size_t size, unsigned width) {
  using enum CellFaultKind;
  std::vector<CellFault> faults;
  if (kind == intermittent) return faults;
  const std::size_t cells = class_of(kind) == "AF" ? size : size * width;
  const bool coupled = kind == coupling_inversion || kind == coupling_idempotent || kind == coupling_state;
  const bool two = coupled || kind == other_cell || kind == several_cells;
  const bool by_rise = coupled || kind == transition;
  const bool by_value = kind != transition && kind != other_cell && kind != coupling_inversion && kind != stuck_open;
  for (std::size_t victim = 0; victim < cells; ++victim)
    for (std::size_t aggressor = 0; aggressor < (two ? cells : 1); ++aggressor) {
      if (two && aggressor == victim) continue;
      for (int rising = 0; rising < (by_rise ? 2 : 1); ++rising)
        for (int value = 0; value < (by_value ? 2 : 1); ++value)
          faults.push_back({kind, victim, aggressor, rising != 0, value != 0});
    }
  return faults;
}

namespace detail {

/// The forms that a test may take where nobody keeps its order: each element up or down, and whole or operation by
/// operation.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<MarchTest> reordered(const MarchTest& test) {
  std::vector<MarchTest> forms{{test.name, {}, test.backgrounds}};
  for (const MarchElement& element : test.elements) {
    std::vector<MarchTest> longer;
    for (const MarchTest& form : forms)
      for (const bool apart : {false, true})
        for (const AddressOrder order : {AddressOrder::ascending, AddressOrder::descending}) {
          if (element.pause() ? apart || order == AddressOrder::descending : apart && element.operations.size() == 1)
            continue;
          MarchTest next = form;
          if (!apart)
            next.elements.push_back({order, element.operations});
          else
            for (const MarchOperation& operation : element.operations) next.elements.push_back({order, {operation}});
          longer.push_back(std::move(next));
        }
    forms = std::move(longer);
  }
  return forms;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool form_detects(const MarchTest& form,
                                                           const std::vector<Background>& backgrounds,
                                                           const CellFault& fault, std::size_t size, unsigned width) {
  const std::size_t cells = std::min<std::size_t>(size * width, 8);
  for (std::uint64_t contents = 0; contents < std::uint64_t{1} << cells; ++contents) {
    SimulatedMemory memory(size, width, fault, contents);
    bool found = false;
    for (const Background& background : backgrounds) {
      run_march(memory, form, background, [&](const MemoryDefect&) {
        found = true;
        return false;
      });
      if (found) break;
    }
    if (!found) return false;
  }
  return true;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE bool detects(const MarchTest& test, const CellFault& fault, std::size_t size, unsigned width,
                                        VisitingOrder order) {
  const std::vector<Background> backgrounds = backgrounds_of(test.backgrounds, width, 1);
  if (order == VisitingOrder::as_stated) return detail::form_detects(test, backgrounds, fault, size, width);
  const std::vector<MarchTest> forms = detail::reordered(test);
  return std::all_of(forms.begin(), forms.end(), [&](const MarchTest& form) {
    return detail::form_detects(form, backgrounds, fault, size, width);
  });
}

ASSAY_DETAIL_HEADER_INLINE std::vector<MarchCoverage> march_coverage(const MarchTest& test, std::size_t size,
                                                                     unsigned width, VisitingOrder order) {
  std::vector<MarchCoverage> rows;
  for (const CellFaultKind kind : all_cell_fault_kinds) {
    if (kind == CellFaultKind::intermittent) continue;
    if (rows.empty() || rows.back().fault_class != class_of(kind)) rows.push_back({std::string(class_of(kind)), 0, 0});
    for (const CellFault& fault : cell_faults(kind, size, width)) {
      ++rows.back().faults;
      rows.back().detected += detects(test, fault, size, width, order) ? 1 : 0;
    }
  }
  return rows;
}

ASSAY_DETAIL_HEADER_INLINE Table march_coverage_table(std::span<const MarchTest> tests, std::size_t size,
                                                      unsigned width, VisitingOrder order) {
  Table table{"faults detected, %, by simulation of all faults of " + std::to_string(size) + " words of " +
                  std::to_string(width) + (width == 1 ? " bit" : " bits") +
                  (order == VisitingOrder::any ? ", in any order" : ", in the stated order"),
              {"test", "operations"},
              {}};
  for (const MarchTest& test : tests) {
    std::vector<std::string> row{test.name, std::to_string(test.operations_per_word()) + "n"};
    for (const MarchCoverage& coverage : march_coverage(test, size, width, order)) {
      if (table.rows.empty()) table.columns.push_back(coverage.fault_class);
      row.push_back(std::to_string(
          std::lround(100.0 * static_cast<double>(coverage.detected) / static_cast<double>(coverage.faults))));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace assay::inline v0
