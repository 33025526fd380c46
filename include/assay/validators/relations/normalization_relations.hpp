#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "assay/kernels/normalization/normalization.hpp"
#include "assay/validators/relations/relation.hpp"

namespace assay::inline v0 {

/// What normalizing kernels keep without a reference.
template <>
struct OperationRelations<Normalization> {
  using Launch = RelatedLaunch<Normalization>;  ///< of this operation

  [[nodiscard]] static std::vector<Relation<Normalization>> all() { return {scaled(), parameters_scaled(), shifted()}; }

 private:
  static bool any(const NormalizationProblem& problem) { return problem.outer > 0 && problem.lane_length() > 0; }
  static void moderate(Launch& first) {
    for (const int operand : {Normalization::input, Normalization::gamma, Normalization::beta})
      detail::change(first.operands[static_cast<std::size_t>(operand)], detail::moderate);
  }
  [[nodiscard]] static std::vector<RelatedValues> outputs(const Launch& second, std::vector<double> due) {
    return {{"output", second.operands[Normalization::output], std::move(due), {}}};
  }

  [[nodiscard]] static Relation<Normalization> scaled() {
    Relation<Normalization> relation;
    relation.name = "scaled";
    relation.statement = "4x with 16 epsilon has the same results as x with epsilon";
    relation.blind_to = "wrong divisors and places, missing terms, one-pass variance, whatever is homogeneous in x";
    relation.needs_range = true;
    relation.holds = [](const NormalizationProblem& problem) {
      return any(problem) && problem.kind != NormalizationKind::batch;
    };
    relation.prepare = moderate;
    relation.transform = [](const Launch& first) {
      Launch second = first;
      second.problem.epsilon *= 16;
      detail::scale(second.operands[Normalization::input], 4);
      return second;
    };
    relation.relate = [](const Launch& first, const Launch& second, const Arithmetic&) {
      return outputs(second, first.operands[Normalization::output]);
    };
    return relation;
  }

  [[nodiscard]] static Relation<Normalization> parameters_scaled() {
    Relation<Normalization> relation;
    relation.name = "parameters_scaled";
    relation.statement = "4 gamma and 4 beta give 4y";
    relation.blind_to = "everything about the statistics, and parameters of other channels";
    relation.needs_range = true;
    relation.holds = [](const NormalizationProblem& problem) { return any(problem) && problem.gamma; };
    relation.prepare = [](Launch& first) {
      moderate(first);
      for (double& x : first.operands[Normalization::input])
        x = std::fabs(x);  // with those of beta, results of either sign that are not small
      for (double& variance : first.operands[Normalization::variance]) variance = 1;
    };
    relation.transform = [](const Launch& first) {
      Launch second = first;
      detail::scale(second.operands[Normalization::gamma], 4);
      detail::scale(second.operands[Normalization::beta], 4);
      return second;
    };
    relation.relate = [](const Launch& first, const Launch& second, const Arithmetic&) {
      std::vector<RelatedValues> values = outputs(second, detail::scaled(first.operands[Normalization::output], 4));
      const double least =
          4 * std::ldexp(1.0, first.problem.output.layout.min_exponent());  // below it rounding is absolute
      for (const double due : values[0].due)
        values[0].allowed.push_back(due != 0 && std::fabs(due) < least ? 0x1p1000 : 0);
      return values;
    };
    return relation;
  }

  /// An element's error, from the statistics of its row as they are in double precision.
  [[nodiscard]] static std::vector<double> errors(const Launch& launch, const Arithmetic& arithmetic) {
    const NormalizationProblem& problem = launch.problem;
    const NormalizationBound bound = NormalizationBound::of(problem, RoundingModel::worst_case, arithmetic);
    const std::vector<double>& x = launch.operands[Normalization::input];
    const std::vector<double>& y = launch.operands[Normalization::output];
    std::vector<double> errors(x.size());
    for (std::size_t start = 0; start < x.size(); start += static_cast<std::size_t>(problem.channels)) {
      double mean = 0, variance = 0;
      for (Index j = 0; j < problem.channels; ++j)
        mean += x[start + static_cast<std::size_t>(j)] / static_cast<double>(problem.channels);
      for (Index j = 0; j < problem.channels; ++j)
        variance += std::pow(x[start + static_cast<std::size_t>(j)] - mean, 2) / static_cast<double>(problem.channels);
      const NormalizationRow row = bound.row_of(mean, variance);
      for (Index j = 0; j < problem.channels; ++j) {
        const std::size_t e = start + static_cast<std::size_t>(j);
        const double gamma = problem.gamma
                                 ? std::fabs(launch.operands[Normalization::gamma][static_cast<std::size_t>(j)])
                                 : 1,
                     beta = problem.beta ? std::fabs(launch.operands[Normalization::beta][static_cast<std::size_t>(j)])
                                         : 0;
        const double size = std::fabs(y[e]) + gamma * row.inverse * std::fabs(x[e] - mean) + beta;
        errors[e] = gamma * (row.offset_error + row.slope_error * std::fabs(x[e] - mean)) +
                    4 * bound.output_share() * size + problem.output.unit_roundoff() * (1 + 0x1p-8) * size +
                    problem.output.min_subnormal();
      }
    }
    return errors;
  }

  [[nodiscard]] static Relation<Normalization> shifted() {
    Relation<Normalization> relation;
    relation.name = "shifted";
    relation.statement =
        "whole numbers and the same moved by a large whole number have the same results, within the errors of both";
    relation.blind_to =
        "wrong divisors and parameters, epsilon in the wrong place, whatever depends on differences only";
    relation.exact = false;
    relation.holds = [](const NormalizationProblem& problem) {
      return any(problem) && problem.kind == NormalizationKind::layer && problem.inner == 1;
    };
    relation.prepare = [](Launch& first) {
      for (double& x : first.operands[Normalization::input])
        x = std::nearbyint(std::clamp(is_finite(x) ? 2 * x : 0, -4.0, 4.0));
    };
    relation.transform = [](const Launch& first) {
      Launch second = first;
      const int bits = std::min(first.problem.input.layout.precision() - 5, 13);
      for (double& x : second.operands[Normalization::input]) x += std::ldexp(1.0, std::max(bits, 0));
      return second;
    };
    relation.relate = [](const Launch& first, const Launch& second, const Arithmetic& arithmetic) {
      std::vector<RelatedValues> values = outputs(second, first.operands[Normalization::output]);
      values[0].allowed = errors(first, arithmetic);
      const std::vector<double> others = errors(second, arithmetic);
      for (std::size_t e = 0; e < others.size(); ++e) values[0].allowed[e] += others[e];
      return values;
    };
    return relation;
  }
};

}  // namespace assay::inline v0
