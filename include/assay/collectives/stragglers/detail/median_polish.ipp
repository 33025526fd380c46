#pragma once

#include "assay/collectives/stragglers/detail/median_polish.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE MedianPolish median_polish(std::vector<double> table, std::size_t n,
                                                      const std::vector<int>& class_of, int sweeps) {
  MedianPolish fit;
  fit.rows.resize(n);
  fit.columns.resize(n);
  std::vector<double> values;
  const auto center = [&](std::vector<double>& effects) {
    values = effects;
    const double middle = median_of_values(values);
    for (double& effect : effects) effect -= middle;
    fit.overall += middle;
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::map<int, std::vector<double>> members;
    for (std::size_t cell = 0; cell < table.size(); ++cell)
      if (!std::isnan(table[cell])) members[class_of[cell]].push_back(table[cell]);
    std::map<int, double> shifts;
    for (auto& [number, own] : members) fit.classes[number] += shifts[number] = median_of_values(own);
    for (std::size_t cell = 0; cell < table.size(); ++cell)
      if (!std::isnan(table[cell])) table[cell] -= shifts[class_of[cell]];
    for (const bool by_row : {true, false}) {
      for (std::size_t i = 0; i < n; ++i) {
        values.clear();
        for (std::size_t j = 0; j < n; ++j)
          if (const double value = table[by_row ? i * n + j : j * n + i]; !std::isnan(value)) values.push_back(value);
        const double shift = median_of_values(values);
        (by_row ? fit.rows : fit.columns)[i] += shift;
        for (std::size_t j = 0; j < n; ++j) table[by_row ? i * n + j : j * n + i] -= shift;
      }
      center(by_row ? fit.rows : fit.columns);
    }
  }
  fit.residuals = std::move(table);
  return fit;
}

}  // namespace assay::inline v0::detail
