#pragma once

#include <string>
#include <vector>

#include "assay/kernels/operation.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tolerance/bounded.hpp"

/// A small operation to test the check of operations with: y ← y + scale·x, and count ← how many elements of x are
/// negative, per row.
namespace assay::testing {

struct AxpyProblem {
  Index rows = 4;
  Index columns = 16;
  double scale = 0.5;
  ElementFormat format = element_format<float32>();
};

struct AxpyExpected {
  AxpyProblem problem;
  BoundedArithmetic arithmetic;
  Operand x, y;
  int output = 0;

  ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    if (output == 0)
      return arithmetic.add({y.at(row, column), 0}, arithmetic.multiply({x.at(row, column), 0}, {problem.scale, 0}))
          .expected();
    double count = 0;
    for (Index i = 0; i < problem.columns; ++i) count += x.at(column, i) < 0 ? 1 : 0;
    return {count, 0};
  }
};

struct Axpy {
  using Problem = AxpyProblem;
  using Arguments = OperandArray;
  enum Position { x, y, count };

  static const char* name() { return "axpy"; }
  static std::string name_of(const Problem& problem) { return extents_name({problem.rows, problem.columns}); }
  static std::string formats_of(const Problem& problem) { return problem.format.name; }
  static Result<std::vector<OperandSpec>> operands(const Problem& problem) {
    if (auto checked = check_extents({{"rows", problem.rows}, {"columns", problem.columns}}); !checked)
      return checked.propagate();
    return std::vector<OperandSpec>{{"x", OperandRole::input, problem.format, {problem.rows, problem.columns}},
                                    {"y", OperandRole::updated, problem.format, {problem.rows, problem.columns}},
                                    {"count", OperandRole::output, element_format<std::int32_t>(), {problem.rows}}};
  }
  static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed) {
    OperationData data;
    data.operands.resize(3);
    data.operands[0].pattern = {kind, seed * 2, problem.columns, problem.format.layout};
    data.operands[1].pattern = {kind, seed * 2 + 1, problem.columns, problem.format.layout};
    return data;
  }
  static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) {
    Problem problem;
    problem.rows = 32;
    problem.format = format;
    return {{problem, {FillKind::normal, FillKind::special}},
            {{0, 3, 0.5, format}, {FillKind::normal}},
            {{1, 1, 2, format}, {FillKind::normal}, true}};
  }
  static std::vector<std::string> derivation(const Problem&, RoundingModel, const Arithmetic&) {
    return {"two roundings"};
  }
  template <ParallelBackend B>
  static Result<OperationReference<AxpyExpected>> reference(B&, typename B::Stream&, const Problem& problem,
                                                            const OperandArray& operands, RoundingModel,
                                                            const Arithmetic& arithmetic) {
    return OperationReference<AxpyExpected>{{problem, BoundedArithmetic(arithmetic), operands[x], operands[y]},
                                            nullptr};
  }
  template <ParallelBackend B>
  static Result<void> portable(B&, typename B::Stream&, const Problem& problem, const OperandArray& operands) {
    for (Index row = 0; row < problem.rows; ++row) {
      double negative = 0;
      for (Index column = 0; column < problem.columns; ++column) {
        const Index e = row * problem.columns + column;
        negative += operands[x].load(e) < 0 ? 1 : 0;
        operands[y].store(e, static_cast<float>(operands[y].load(e)) +
                                 static_cast<float>(problem.scale) * static_cast<float>(operands[x].load(e)));
      }
      operands[count].store(row, negative);
    }
    return {};
  }
};

}  // namespace assay::testing
