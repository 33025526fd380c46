#pragma once

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/kernel.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

/// What became of many small products with integers, whose every partial sum is exact in any format under test.
struct ExactnessTally {
  int right = 0;
  int unsupported = 0;
  std::string reason;       ///< of the last refusal
  std::string first_fault;  ///< empty if there was none
};

/// A small integer in [−2, 2], or in [−1, 1] for long sums, that depends on everything.
inline double small_integer(Index index, Index seed, Index k) {
  const auto mixed = static_cast<std::uint64_t>(index * 2654435761 + seed * 40503 + 12345) * 0x9E3779B97F4A7C15u;
  const Index width = k > 10 ? 3 : 5;
  return static_cast<double>(static_cast<Index>((mixed >> 33) % static_cast<std::uint64_t>(width)) - width / 2);
}

template <Format T>
std::vector<T> operand_storage(const GemmOperandLayout& layout, double padding) {
  return std::vector<T>(static_cast<std::size_t>(layout.elements), encode<T>(padding));
}

template <class T>
StridedView<T, 3> view_of(T* data, const GemmOperandLayout& layout, Index batch) {
  return {data, {batch, layout.rows, layout.columns}, {layout.batch_stride, layout.row_stride, layout.column_stride}};
}

/// Runs one product, padding of A and B being NaN, and the padding of C too; C itself is NaN where β = 0.
/// Adds to the tally.
template <class B, class Op>
void check_exact(B& backend, const GemmProblem& problem, ExactnessTally& tally) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const GemmLayout layout = lay_out(problem).value();
  auto a = operand_storage<typename Op::FormatA>(layout.a, nan);
  auto b = operand_storage<typename Op::FormatB>(layout.b, nan);
  auto c = operand_storage<typename Op::FormatC>(layout.c, nan);
  const auto view_a = view_of(a.data(), layout.a, problem.batch);
  const auto view_b = view_of(b.data(), layout.b, problem.batch);
  const auto view_c = view_of(c.data(), layout.c, problem.batch);
  const auto value_a = [&](Index batch, Index i, Index p) {
    return small_integer((batch * problem.m + i) * problem.k + p, 1, problem.k);
  };
  const auto value_b = [&](Index batch, Index p, Index j) {
    return small_integer((batch * problem.k + p) * problem.n + j, 2, problem.k);
  };
  const auto value_c = [&](Index batch, Index i, Index j) {
    return small_integer((batch * problem.m + i) * problem.n + j, 3, problem.k);
  };
  auto expected = c;
  const auto view_expected = view_of(expected.data(), layout.c, problem.batch);
  for (Index batch = 0; batch < problem.batch; ++batch) {
    for (Index i = 0; i < problem.m; ++i)
      for (Index p = 0; p < problem.k; ++p) view_a(batch, i, p) = encode<typename Op::FormatA>(value_a(batch, i, p));
    for (Index p = 0; p < problem.k; ++p)
      for (Index j = 0; j < problem.n; ++j) view_b(batch, p, j) = encode<typename Op::FormatB>(value_b(batch, p, j));
    for (Index i = 0; i < problem.m; ++i)
      for (Index j = 0; j < problem.n; ++j) {
        double sum = 0;
        for (Index p = 0; p < problem.k; ++p) sum += value_a(batch, i, p) * value_b(batch, p, j);
        sum *= problem.alpha;
        if (problem.beta != 0) {
          view_c(batch, i, j) = encode<typename Op::FormatC>(value_c(batch, i, j));
          sum += problem.beta * value_c(batch, i, j);
        }
        view_expected(batch, i, j) = encode<typename Op::FormatC>(sum);
      }
  }
  auto stream = backend.make_stream().value();
  const auto before_a = a;
  const auto before_b = b;
  const auto result = kernel<B, Op>::run(backend, stream, problem, typename Op::Arguments{view_a, view_b, view_c});
  const auto fault = [&](const std::string& what) {
    if (tally.first_fault.empty()) tally.first_fault = Op::formats() + " " + name_of(problem) + ": " + what;
  };
  if (!result && result.error().kind == ErrorKind::unsupported) {
    ++tally.unsupported;
    tally.reason = result.error().message;
    return;
  }
  if (!result) return fault(result.error().message);
  const auto same = [](const auto& left, const auto& right) {
    return left.empty() || std::memcmp(left.data(), right.data(), left.size() * sizeof(left[0])) == 0;
  };
  if (!same(a, before_a) || !same(b, before_b)) return fault("an input was modified");
  for (Index batch = 0; batch < problem.batch; ++batch)
    for (Index i = 0; i < problem.m; ++i)
      for (Index j = 0; j < problem.n; ++j) {
        const double got = decode(view_c(batch, i, j));
        const double wanted = decode(view_expected(batch, i, j));
        if (!(got == wanted))
          return fault("C(" + std::to_string(batch) + ", " + std::to_string(i) + ", " + std::to_string(j) + ") is " +
                       std::to_string(got) + ", expected " + std::to_string(wanted));
        view_c(batch, i, j) = view_expected(batch, i, j);  // −0 and 0 are both right
      }
  if (!same(c, expected)) return fault("padding of C was written");
  ++tally.right;
}

/// Every combination of shape, transposition, order, leading dimension, batch, α and β: 640 products.
template <class B, class Op>
ExactnessTally check_exact_everywhere(B& backend) {
  constexpr Index shapes[][3] = {{1, 1, 1}, {2, 3, 4}, {5, 1, 7}, {1, 6, 3}, {33, 17, 65}};
  constexpr double scalars[][2] = {{1, 0}, {1, 1}, {-1.5, 0}, {-1.5, 2}};
  ExactnessTally tally;
  for (const auto& shape : shapes)
    for (int choice = 0; choice < 32; ++choice)
      for (const auto& scalar : scalars) {
        GemmProblem problem{.m = shape[0], .n = shape[1], .k = shape[2]};
        problem.transpose_a = (choice & 1) != 0;
        problem.transpose_b = (choice & 2) != 0;
        problem.order = (choice & 4) != 0 ? StorageOrder::column_major : StorageOrder::row_major;
        problem.alpha = scalar[0];
        problem.beta = scalar[1];
        const bool padded = (choice & 8) != 0;
        if (padded) {
          const GemmLayout tight = lay_out(problem).value();
          problem.leading_dimension_a = tight.a.leading_dimension + 3;
          problem.leading_dimension_b = tight.b.leading_dimension + 2;
          problem.leading_dimension_c = tight.c.leading_dimension + 1;
        }
        if ((choice & 16) != 0) {
          problem.batch = 3;
          if (padded) {
            const GemmLayout tight = lay_out(problem).value();
            problem.batch_stride_a = tight.a.batch_stride + 5;
            problem.batch_stride_b = tight.b.batch_stride + 4;
            problem.batch_stride_c = tight.c.batch_stride + 7;
          }
        }
        check_exact<B, Op>(backend, problem, tally);
      }
  return tally;
}

}  // namespace assay::testing
