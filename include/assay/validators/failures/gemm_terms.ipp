#pragma once

#include "assay/validators/failures/gemm_terms.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> wrong_gemm_terms(const FailingOutput& output, const Operand& a,
                                                                     const Operand& b, double alpha) {
  const Index m = a.extents[1], terms = a.extents[2], n = b.extents[2];
  if (terms < 1 || output.violations == 0 || alpha == 0) return std::nullopt;
  // Rows with violations, and columns spread over the output.
  std::vector<Index> rows;
  for (std::size_t row = 0; row < output.rows(); ++row)
    for (std::size_t column = 0; column < output.columns(); ++column)
      if (output.violated[row * output.columns() + column]) {
        rows.push_back(static_cast<Index>(row));
        break;
      }
  const auto thin_out = [](std::vector<Index>& all, std::size_t most) {
    if (all.size() <= most) return;
    std::vector<Index> kept;
    for (std::size_t i = 0; i < most; ++i) kept.push_back(all[i * all.size() / most]);
    all = std::move(kept);
  };
  thin_out(rows, 128);
  std::vector<Index> columns;
  for (Index column = 0; column < n; ++column)
    for (const Index row : rows)
      if (output.violated[static_cast<std::size_t>(row * n + column)]) {
        columns.push_back(column);
        break;
      }
  thin_out(columns, 128);
  std::vector<double> errors(rows.size() * columns.size());
  double energy = 0, noise = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto element = static_cast<std::size_t>(rows[i] * n + columns[j]);
      double& error = errors[i * columns.size() + j];
      error = (output.actual[element] - output.expected[element]) / alpha;
      if (!is_finite(error)) return std::nullopt;
      energy += error * error;
      const double place = output.format.unit_in_last_place(output.expected[element]) / alpha;
      noise += place * place / 12;
    }
  if (errors.size() < 4 || !(energy > 0)) return std::nullopt;

  struct Term {
    Index k;
    double coefficient, explained;
  };
  std::vector<double> right(columns.size());
  const auto each_product = [&](Index k, const auto& visit) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Index batch = rows[i] / m;
      const double factor = a.at(batch, rows[i] % m, k);
      if (i == 0 || batch != rows[i - 1] / m)
        for (std::size_t j = 0; j < columns.size(); ++j) right[j] = b.at(batch, k, columns[j]);
      for (std::size_t j = 0; j < columns.size(); ++j) visit(i * columns.size() + j, factor * right[j]);
    }
  };
  const auto terms_of = [&](const std::vector<double>& unexplained) {
    std::vector<Term> found;
    for (Index k = 0; k < terms; ++k) {
      double with_error = 0, squared = 0;
      each_product(k, [&](std::size_t place, double product) {
        with_error += unexplained[place] * product;
        squared += product * product;
      });
      if (!(squared > 0) || !is_finite(squared)) continue;
      const double coefficient = with_error / squared;
      if (std::fabs(coefficient) >= 0.5 && squared >= 1e-3 * energy / static_cast<double>(terms))
        found.push_back({k, coefficient, coefficient * coefficient * squared});
    }
    return found;
  };
  const auto subtract = [&](std::vector<double>& from, const Term& term) {
    each_product(term.k,
                 [&](std::size_t place, double product) { from[place] -= term.coefficient < 0 ? -product : product; });
  };
  const auto energy_of = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value * value;
    return sum;
  };
  if (4 * noise > energy) return std::nullopt;
  const double explained_enough = 0.05 * energy + 4 * noise;
  std::vector<Term> wrong = terms_of(errors);
  if (wrong.empty()) return std::nullopt;
  std::vector<double> remaining = errors;
  if (wrong.size() <= errors.size() / 4)
    for (const Term& term : wrong) subtract(remaining, term);
  double unexplained = energy_of(remaining);
  bool alike = false;  // other terms would explain as much
  if (wrong.size() > errors.size() / 4 ||
      unexplained > explained_enough) {  // products that resemble each other: one after the other
    remaining = errors;
    wrong.clear();
    for (int step = 0; step < 8; ++step) {
      const std::vector<Term> candidates = terms_of(remaining);
      const auto best = std::max_element(candidates.begin(), candidates.end(), [](const Term& one, const Term& other) {
        return one.explained < other.explained;
      });
      if (best == candidates.end()) return std::nullopt;
      alike = alike || std::count_if(candidates.begin(), candidates.end(), [&](const Term& other) {
                         return other.explained >= (1 - 1e-9) * best->explained;
                       }) > 1;
      subtract(remaining, *best);
      wrong.push_back(*best);
      unexplained = energy_of(remaining);
      if (unexplained <= explained_enough) break;
    }
    if (unexplained > explained_enough) return std::nullopt;
    std::sort(wrong.begin(), wrong.end(), [](const Term& one, const Term& other) { return one.k < other.k; });
  }

  std::size_t missing = 0;
  for (const auto& one : wrong) missing += one.coefficient < 0 ? 1 : 0;
  if (missing != 0 && missing != wrong.size()) return std::nullopt;
  const bool only_term = terms == 1;  // then a factor of the product looks the same
  if (only_term && wrong.size() != 1) return std::nullopt;
  std::size_t runs = 1;
  for (std::size_t i = 1; i < wrong.size(); ++i) runs += wrong[i].k != wrong[i - 1].k + 1 ? 1 : 0;
  const bool scattered = runs > 4, most = 2 * static_cast<Index>(wrong.size()) > terms && !only_term;
  Diagnosis diagnosis;
  diagnosis.fault_class = missing > 0 ? FaultClass::missing_work : FaultClass::repeated_work;
  diagnosis.kind = std::string(only_term   ? "only_"
                               : scattered ? "scattered_"
                               : most      ? "most_"
                                           : "") +
                   (only_term ? "term_" : "terms_") + (missing > 0 ? "missing" : "repeated");
  diagnosis.confidence = scattered || most || only_term ? Confidence::likely : Confidence::certain;
  std::string which = "k = ";
  for (std::size_t i = 0, shown = 0; i < wrong.size() && shown < 6; ++shown) {
    std::size_t last = i;
    while (last + 1 < wrong.size() && wrong[last + 1].k == wrong[last].k + 1) ++last;
    which +=
        (shown > 0 ? ", " : "") + std::to_string(wrong[i].k) + (last > i ? " to " + std::to_string(wrong[last].k) : "");
    i = last + 1;
    if (shown == 5 && i < wrong.size()) which += " and others";
  }
  const std::string share = detail::printed_number(100 * (1 - unexplained / energy), 4);
  diagnosis.evidence.push_back((missing > 0 ? "the terms " : "twice the terms ") + which + " of " +
                               std::to_string(terms) + (alike ? ", or as many whose products are the same," : "") +
                               (missing > 0 ? " are left out" : " are counted") + ": their products explain " + share +
                               " % of the squared errors of " + std::to_string(errors.size()) + " elements");
  if (only_term)
    diagnosis.evidence.push_back(missing > 0 ? "of one term that is the same as a product that is left out, or alpha "
                                               "taken for 0: larger k tell which"
                                             : "of one term that is the same as a product that is counted twice, or "
                                               "alpha doubled: larger k tell which");
  return diagnosis;
}

}  // namespace assay::inline v0
