#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/validators/relations/gemm_operation.hpp"
#include "assay/validators/relations/relation.hpp"

namespace assay::inline v0 {

namespace detail {

/// Elements of a launch of a GEMM by the indices of the product.
template <class Launch>
class GemmValues {
 public:
  explicit GemmValues(Launch& launch) : launch_(launch), problem_(launch.problem) {}

  [[nodiscard]] auto& a(Index batch, Index row, Index term) {
    return at(0, (batch * problem_.m + row) * problem_.k + term, (batch * problem_.k + term) * problem_.m + row,
              problem_.transpose_a);
  }
  [[nodiscard]] auto& b(Index batch, Index term, Index column) {
    return at(1, (batch * problem_.k + term) * problem_.n + column, (batch * problem_.n + column) * problem_.k + term,
              problem_.transpose_b);
  }
  [[nodiscard]] auto& c(Index batch, Index row, Index column) {
    return at(2, (batch * problem_.m + row) * problem_.n + column, 0, false);
  }

  template <class Visit>
  void each_output(Visit visit) const {
    for (Index batch = 0; batch < problem_.batch; ++batch)
      for (Index row = 0; row < problem_.m; ++row)
        for (Index column = 0; column < problem_.n; ++column) visit(batch, row, column);
  }

 private:
  [[nodiscard]] auto& at(std::size_t operand, Index place, Index transposed_place, bool transposed) {
    return launch_.operands[operand][static_cast<std::size_t>(transposed ? transposed_place : place)];
  }

  Launch& launch_;
  const GemmProblem& problem_;
};

/// The term that a row gathers or gains: every one by some row.
[[nodiscard]] inline Index chosen_term(const GemmProblem& problem, Index batch, Index row) {
  return problem.k > 0 ? (problem.k - 1 + (batch * problem.m + row) * 7) % problem.k : 0;
}

}  // namespace detail

/// What GEMM kernels keep without a reference. On matrices of −1, 0 and 1 every sum is exact in any order, so that
/// relations hold to the bit for all right kernels.
template <class Op>
struct OperationRelations<GemmOperation<Op>> {
  using Operation = GemmOperation<Op>;        ///< the GEMM as an operation on data
  using Launch = RelatedLaunch<Operation>;    ///< of this operation
  using Values = detail::GemmValues<Launch>;  ///< of an operand, by indices

  [[nodiscard]] static std::vector<Relation<Operation>> all() {
    return {scaled(),           negated(), gathered(),   terms_reversed(), rows_reversed(),
            columns_reversed(), padded(),  term_added(), batch_invariant()};
  }

 private:
  static bool any(const GemmProblem& problem) {
    return problem.batch > 0 && problem.m > 0 && problem.n > 0 && problem.k > 0 && problem.alpha == 1;
  }
  static void moderate(Launch& first) {
    for (std::vector<double>& values : first.operands) detail::change(values, detail::moderate);
  }
  [[nodiscard]] static std::vector<RelatedValues> same(std::vector<double> found, std::vector<double> due) {
    return {{"C", std::move(found), std::move(due), {}}};
  }

  /// A relation of two launches on integers, with C zero before both: `change(first, second)` makes the second's
  /// inputs, `due(values, first, batch, row, column)` is its result.
  template <class Change, class Due>
  [[nodiscard]] static Relation<Operation> on_integers(std::string name, std::string statement, std::string blind_to,
                                                       Change change, Due due) {
    Relation<Operation> relation;
    relation.name = std::move(name);
    relation.statement = std::move(statement);
    relation.blind_to = std::move(blind_to);
    relation.holds = any;
    relation.prepare = [](Launch& first) {
      for (std::vector<double>& values : first.operands) detail::change(values, detail::unit_integer);
      first.operands[2].assign(first.operands[2].size(), 0.0);
    };
    relation.transform = [change](const Launch& first) {
      Launch second = first, source = first;
      second.operands[2].assign(first.operands[2].size(), 0.0);
      change(source, second);
      return second;
    };
    relation.relate = [due](const Launch& first, const Launch& second, const Arithmetic&) {
      Launch from = first, to = second;
      std::vector<double> expected, found;
      Values values(from), others(to);
      values.each_output([&](Index batch, Index row, Index column) {
        expected.push_back(due(values, from, batch, row, column));
        found.push_back(others.c(batch, row, column));
      });
      return same(std::move(found), std::move(expected));
    };
    return relation;
  }
  [[nodiscard]] static Relation<Operation> multiplied(std::string name, std::string statement, std::string blind_to,
                                                      double factor) {
    Relation<Operation> relation;
    relation.name = std::move(name);
    relation.statement = std::move(statement);
    relation.blind_to = std::move(blind_to);
    relation.needs_range = true;
    relation.holds = [](const GemmProblem& problem) { return any(problem) && problem.beta == 0; };
    relation.prepare = [](Launch& first) { moderate(first); };
    relation.transform = [factor](const Launch& first) {
      Launch second = first;
      detail::scale(second.operands[0], factor);
      return second;
    };
    relation.relate = [factor](const Launch& first, const Launch& second, const Arithmetic&) {
      return same(second.operands[2], detail::scaled(first.operands[2], factor));
    };
    return relation;
  }
  [[nodiscard]] static Relation<Operation> scaled() {
    return multiplied("scaled", "4A gives 4C",
                      "whatever is linear in A: missing and repeated terms, wrong places, narrow accumulators, zeros",
                      4);
  }
  [[nodiscard]] static Relation<Operation> negated() {
    return multiplied("negated", "-A gives -C, since rounding is symmetric",
                      "whatever is odd in A, truncation included; it shows rounding towards one side", -1);
  }

  [[nodiscard]] static Relation<Operation> gathered() {
    Relation<Operation> relation;
    relation.name = "gathered";
    relation.statement = "rows of A with a single 1 gather rows of B";
    relation.blind_to = "everything about sums: their order, their accumulator, terms counted only with others";
    relation.holds = [](const GemmProblem& problem) { return any(problem) && problem.beta == 0; };
    relation.prepare = [](Launch& first) {
      moderate(first);
      first.operands[0].assign(first.operands[0].size(), 0.0);
      Values values(first);
      for (Index batch = 0; batch < first.problem.batch; ++batch)
        for (Index row = 0; row < first.problem.m; ++row)
          values.a(batch, row, detail::chosen_term(first.problem, batch, row)) = 1;
    };
    relation.relate = [](const Launch& first, const Launch&, const Arithmetic&) {
      Launch launch = first;
      Values values(launch);
      std::vector<double> due;
      constexpr ElementFormat output = element_format<typename Op::FormatC>(),
                              accumulator = element_format<typename Op::Accumulator>();
      values.each_output([&](Index batch, Index row, Index column) {
        due.push_back(
            output.round(accumulator.round(values.b(batch, detail::chosen_term(first.problem, batch, row), column))));
      });
      return same(first.operands[2], std::move(due));
    };
    return relation;
  }
  [[nodiscard]] static Relation<Operation> terms_reversed() {
    return on_integers(
        "terms_reversed", "terms in reverse have the same sums: they are exact in any order",
        "whatever treats all terms alike: wrong places of outputs, roundings, zeros",
        [](Launch& first, Launch& second) {
          Values from(first), to(second);
          const GemmProblem& problem = first.problem;
          for (Index batch = 0; batch < problem.batch; ++batch)
            for (Index term = 0; term < problem.k; ++term) {
              for (Index row = 0; row < problem.m; ++row)
                to.a(batch, row, problem.k - 1 - term) = from.a(batch, row, term);
              for (Index column = 0; column < problem.n; ++column)
                to.b(batch, problem.k - 1 - term, column) = from.b(batch, term, column);
            }
        },
        [](Values& values, const Launch&, Index batch, Index row, Index column) {
          return values.c(batch, row, column);
        });
  }
  [[nodiscard]] static Relation<Operation> rows_reversed() {
    return on_integers(
        "rows_reversed", "rows of A in reverse give rows of C in reverse",
        "whatever treats all rows alike: missing terms, roundings, wrong columns, zeros",
        [](Launch& first, Launch& second) {
          Values from(first), to(second);
          const GemmProblem& problem = first.problem;
          for (Index batch = 0; batch < problem.batch; ++batch)
            for (Index row = 0; row < problem.m; ++row)
              for (Index term = 0; term < problem.k; ++term)
                to.a(batch, problem.m - 1 - row, term) = from.a(batch, row, term);
        },
        [](Values& values, const Launch& first, Index batch, Index row, Index column) {
          return values.c(batch, first.problem.m - 1 - row, column);
        });
  }
  [[nodiscard]] static Relation<Operation> columns_reversed() {
    return on_integers(
        "columns_reversed", "columns of B in reverse give columns of C in reverse",
        "whatever treats all columns alike: missing terms, roundings, wrong rows, zeros",
        [](Launch& first, Launch& second) {
          Values from(first), to(second);
          const GemmProblem& problem = first.problem;
          for (Index batch = 0; batch < problem.batch; ++batch)
            for (Index column = 0; column < problem.n; ++column)
              for (Index term = 0; term < problem.k; ++term)
                to.b(batch, term, problem.n - 1 - column) = from.b(batch, term, column);
        },
        [](Values& values, const Launch& first, Index batch, Index row, Index column) {
          return values.c(batch, row, first.problem.n - 1 - column);
        });
  }
  [[nodiscard]] static Relation<Operation> padded() {
    return on_integers(
        "zero_padded", "nine further terms that are zero change nothing",
        "whatever does not depend on how many terms there are",
        [](Launch& first, Launch& second) {
          second.problem.k += 9;
          const GemmProblem& problem = first.problem;
          second.operands[0].assign(static_cast<std::size_t>(problem.batch * problem.m * second.problem.k), 0.0);
          second.operands[1].assign(static_cast<std::size_t>(problem.batch * problem.n * second.problem.k), 0.0);
          Values from(first), to(second);
          for (Index batch = 0; batch < problem.batch; ++batch)
            for (Index term = 0; term < problem.k; ++term) {
              for (Index row = 0; row < problem.m; ++row) to.a(batch, row, term) = from.a(batch, row, term);
              for (Index column = 0; column < problem.n; ++column)
                to.b(batch, term, column) = from.b(batch, term, column);
            }
        },
        [](Values& values, const Launch&, Index batch, Index row, Index column) {
          return values.c(batch, row, column);
        });
  }
  [[nodiscard]] static Relation<Operation> term_added() {
    return on_integers(
        "term_added", "1 more at one place of each row of A adds a row of B to each row of C",
        "whatever an affine function of A has: C or workspace from before, terms that no row was given",
        [](Launch& first, Launch& second) {
          Values to(second);
          for (Index batch = 0; batch < first.problem.batch; ++batch)
            for (Index row = 0; row < first.problem.m; ++row)
              to.a(batch, row, detail::chosen_term(first.problem, batch, row)) += 1;
        },
        [](Values& values, const Launch& first, Index batch, Index row, Index column) {
          return values.c(batch, row, column) + values.b(batch, detail::chosen_term(first.problem, batch, row), column);
        });
  }
  [[nodiscard]] static Relation<Operation> batch_invariant() {
    Relation<Operation> relation;
    relation.name = "batch_invariant";
    relation.statement = "the first row is the same to the bit when it is computed alone";
    relation.blind_to = "whatever depends on a row's own data only";
    relation.contract = "batch_invariant";
    relation.holds = [](const GemmProblem& problem) {
      return any(problem) && problem.beta == 0 && !problem.transpose_a && problem.m > 1;
    };
    relation.transform = [](const Launch& first) {
      Launch second = first;
      second.problem.m = second.problem.batch = 1;
      second.operands[0].resize(static_cast<std::size_t>(first.problem.k));
      second.operands[1].resize(static_cast<std::size_t>(first.problem.k * first.problem.n));
      return second;
    };
    relation.relate = [](const Launch& first, const Launch& second, const Arithmetic&) {
      return same(second.operands[2], {first.operands[2].begin(),
                                       first.operands[2].begin() + static_cast<std::ptrdiff_t>(first.problem.n)});
    };
    return relation;
  }
};

}  // namespace assay::inline v0
