#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

/// Linear models of positive quantities whose coefficients are none of them negative.
namespace assay::inline v0::detail {

/// value ≈ Σ terms · coefficients. `value` is positive.
template <std::size_t Terms>
struct FitRow {
  std::array<double, Terms> terms{};
  double value = 1;
};

/// Solves the normal equations of the chosen columns by elimination with pivots; false where they are singular.
template <std::size_t Terms>
[[nodiscard]] bool solve_chosen(const std::array<std::array<double, Terms + 1>, Terms>& normal, unsigned chosen,
                                std::array<double, Terms>& solution) {
  std::array<std::array<double, Terms + 1>, Terms> system = normal;
  solution.fill(0);
  std::array<std::size_t, Terms> columns{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < Terms; ++i)
    if (chosen >> i & 1) columns[count++] = i;
  std::array<std::size_t, Terms> rows = columns;
  for (std::size_t step = 0; step < count; ++step) {
    std::size_t pivot = step;
    for (std::size_t i = step + 1; i < count; ++i)
      if (std::abs(system[rows[i]][columns[step]]) > std::abs(system[rows[pivot]][columns[step]])) pivot = i;
    std::swap(rows[step], rows[pivot]);
    const double leading = system[rows[step]][columns[step]];
    if (!(std::abs(leading) > 1e-12)) return false;  // columns are scaled to 1
    for (std::size_t i = step + 1; i < count; ++i) {
      const double factor = system[rows[i]][columns[step]] / leading;
      for (std::size_t j = step; j < count; ++j) system[rows[i]][columns[j]] -= factor * system[rows[step]][columns[j]];
      system[rows[i]][Terms] -= factor * system[rows[step]][Terms];
    }
  }
  for (std::size_t step = count; step-- > 0;) {
    double value = system[rows[step]][Terms];
    for (std::size_t j = step + 1; j < count; ++j) value -= system[rows[step]][columns[j]] * solution[columns[j]];
    solution[columns[step]] = value / system[rows[step]][columns[step]];
  }
  return true;
}

/// The coefficients ≥ 0 that minimize Σ ρ((fitted − value)/value), ρ Huber's function, whose bend lies at 1.345 robust
/// deviations (Huber, "Robust statistics", 1981), by reweighting. Of the few terms every set is tried, so that the best
/// one without negative coefficients is found. Columns of zeros have coefficient 0. O(rows · Terms² + 2^Terms · Terms³)
/// a round, at most 30 rounds.
template <std::size_t Terms>
[[nodiscard]] std::array<double, Terms> relative_least_squares(std::span<const FitRow<Terms>> rows) {
  std::array<double, Terms> scale{}, coefficients{};
  for (std::size_t i = 0; i < Terms; ++i) {
    for (const FitRow<Terms>& row : rows) scale[i] = std::max(scale[i], std::abs(row.terms[i] / row.value));
    if (scale[i] == 0) scale[i] = 1;
  }
  std::vector<double> weights(rows.size(), 1.0), residues(rows.size()), sizes;
  for (int round = 0; round < 30; ++round) {
    std::array<std::array<double, Terms + 1>, Terms> normal{};
    double squares = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      std::array<double, Terms> scaled{};
      for (std::size_t i = 0; i < Terms; ++i) scaled[i] = rows[r].terms[i] / rows[r].value / scale[i];
      for (std::size_t i = 0; i < Terms; ++i) {
        for (std::size_t j = 0; j < Terms; ++j) normal[i][j] += weights[r] * scaled[i] * scaled[j];
        normal[i][Terms] += weights[r] * scaled[i];
      }
      squares += weights[r];
    }
    double least = std::numeric_limits<double>::infinity();
    std::array<double, Terms> best{};
    for (unsigned chosen = 0; chosen < 1u << Terms; ++chosen) {
      std::array<double, Terms> solution{};
      if (!solve_chosen<Terms>(normal, chosen, solution) ||
          std::any_of(solution.begin(), solution.end(), [](double x) { return !(x >= 0); }))
        continue;
      double error = squares;  // |Ax − 1|² = xᵀNx − 2xᵀb + Σw, and Nx = b on the chosen columns
      for (std::size_t i = 0; i < Terms; ++i) error -= solution[i] * normal[i][Terms];
      if (error < least - 1e-9 * squares) least = error, best = solution;  // of equals the one of the first columns
    }
    double change = 0;
    for (std::size_t i = 0; i < Terms; ++i) {
      const double coefficient = best[i] / scale[i];
      change = std::max(change, std::abs(coefficient - coefficients[i]) * scale[i]);
      coefficients[i] = coefficient;
    }
    if (round > 0 && change < 1e-10) break;
    sizes.clear();
    for (std::size_t r = 0; r < rows.size(); ++r) {
      residues[r] = -1;
      for (std::size_t i = 0; i < Terms; ++i) residues[r] += rows[r].terms[i] * coefficients[i] / rows[r].value;
      sizes.push_back(std::abs(residues[r]));
    }
    std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
    const double bend = 1.345 * 1.4826 * std::max(sizes[sizes.size() / 2], 1e-9);
    for (std::size_t r = 0; r < rows.size(); ++r)
      weights[r] = std::min(1.0, bend / std::max(std::abs(residues[r]), 1e-300));
  }
  return coefficients;
}

}  // namespace assay::inline v0::detail
