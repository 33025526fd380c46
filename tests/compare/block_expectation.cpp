#include "assay/compare/block_expectation.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/compare.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/compare/expected_arrays.hpp"
#include "assay/tolerance/chosen.hpp"

using namespace assay;

namespace {

double reference_at(Index row, Index column) {
  return static_cast<double>((row * 7919 + column * 104729) % 1000) * 0.01 - 5;
}
double error_at(Index row, Index column) {
  return static_cast<double>((row + column) % 5) * 1e-7;
}

/// References that are computed on demand.
struct Computed {
  ExpectedElement operator()(Index row, Index column) const {
    return {reference_at(row, column), error_at(row, column)};
  }
  void expected_block(Index row, Index first, Index count, double* value, double* error) const {
    for (Index i = 0; i < count; ++i) {
      value[i] = reference_at(row, first + i);
      error[i] = error_at(row, first + i);
    }
  }
};
/// References that are stored; counts those that are copied.
struct Placed {
  static constexpr bool runs_on = true;
  const double* value;
  const double* error;
  Index columns;
  std::atomic<Index>* copied;
  ExpectedElement operator()(Index row, Index column) const {
    return {value[row * columns + column], error[row * columns + column]};
  }
  void expected_block(Index row, Index first, Index count, double* to_value, double* to_error) const {
    std::copy_n(value + row * columns + first, count, to_value);
    std::copy_n(error + row * columns + first, count, to_error);
    *copied += count;
  }
  ExpectedRow<double> placed_block(Index row, Index first, Index, double*, double*) const {
    return {value + row * columns + first, error + row * columns + first, 0};
  }
};
static_assert(BlockExpectation<Placed>);
static_assert(BlockExpectation<Computed>);
static_assert(!BlockExpectation<ExpectedArrays>);

/// An output with its references.
template <class T>
struct Matrix {
  std::vector<T> actual;
  std::vector<double> value, error;

  Matrix(Index rows, Index columns, bool any_wrong)
      : actual(static_cast<std::size_t>(rows * columns)), value(actual.size()), error(actual.size()) {
    for (Index row = 0; row < rows; ++row)
      for (Index column = 0; column < columns; ++column) {
        const auto e = static_cast<std::size_t>(row * columns + column);
        value[e] = reference_at(row, column);
        error[e] = error_at(row, column);
        const bool wrong = any_wrong && e % 977 == 3;
        actual[e] = encode<T>(value[e] + (wrong ? 0.5 : error[e] * 0.9));
      }
  }
};

/// All but tiles and groups of rows.
void check_same(const Comparison& left, const Comparison& right) {
  CHECK(left.elements == right.elements);
  CHECK(left.rows == right.rows);
  CHECK(left.violations == right.violations);
  for (Extremum Comparison::*extremum : {&Comparison::max_absolute_error, &Comparison::max_relative_error,
                                         &Comparison::max_ulp_error, &Comparison::max_ratio}) {
    CHECK((left.*extremum).value == (right.*extremum).value);
    CHECK((left.*extremum).position.row == (right.*extremum).position.row);
    CHECK((left.*extremum).position.column == (right.*extremum).position.column);
  }
  CHECK(left.statistics.misrounded == right.statistics.misrounded);
  CHECK(left.statistics.squared_error == Approx(right.statistics.squared_error).epsilon(1e-6));
}

template <class T>
void require_same(Index rows, Index columns) {
  const Matrix<T> matrix(rows, columns, true);
  const auto& [actual, value, error] = matrix;
  Host host(2);
  auto stream = host.make_stream().value();
  const auto view = contiguous_view<const T, 2>(actual.data(), {rows, columns});
  const Comparison stored =
      compare(host, stream, view, ExpectedArrays{value.data(), error.data(), columns}, ChosenTolerance{}).value();
  const Comparison computed = compare(host, stream, view, Computed{}, ChosenTolerance{}).value();
  CHECK(computed.violations > 0);
  check_same(computed, stored);
  CHECK(computed.tiles.values == stored.tiles.values);
  CHECK(computed.row_ratio == stored.row_ratio);
}

}  // namespace

TEST_CASE("references computed block by block compare like stored ones") {
  require_same<float32>(3, 5000);
  require_same<float32>(70, 513);
  require_same<bfloat16>(40, 1025);
  require_same<float16>(1, 20000);
  require_same<float32>(977, 7);
  require_same<float32>(1700, 56);
  require_same<bfloat16>(2600, 130);
}

TEMPLATE_TEST_CASE(
    "outputs are compared with a tile for each of what is compared at once, and wrong ones with all tiles", "", float32,
    bfloat16) {
  for (const bool wrong : {false, true})
    for (const auto& [rows, columns] :
         {std::pair<Index, Index>{3, 5000}, {70, 513}, {977, 7}, {1700, 56}, {64, 40000}}) {
      INFO(rows << " x " << columns << (wrong ? ", wrong" : ""));
      Matrix<TestType> matrix(rows, columns, wrong);
      Host host(2);
      auto stream = host.make_stream().value();
      std::atomic<Index> copied = 0;
      const Placed placed{matrix.value.data(), matrix.error.data(), columns, &copied};
      const Operand operand = contiguous_operand(matrix.actual.data(), {rows, columns});
      const Comparison found = compare_operand(host, stream, operand, placed, ChosenTolerance{}).value(),
                       computed = compare_operand(host, stream, operand, Computed{}, ChosenTolerance{}).value();
      const auto view = contiguous_view<const TestType, 2>(matrix.actual.data(), {rows, columns});
      const ExpectedArrays arrays{matrix.value.data(), matrix.error.data(), columns};
      const Comparison of_matrix =
                           detail::compare_on({true, instruction_set()}, host, stream, view, arrays, ChosenTolerance{})
                               .value(),
                       typed = compare(host, stream, view, arrays, ChosenTolerance{}).value();
      CHECK((found.violations > 0) == wrong);
      CHECK(
          (copied < rows * columns / 20 || (wrong && columns < 100)));  // what is looked at one by one, and short rows
      check_same(found, of_matrix);
      check_same(computed, of_matrix);
      check_same(typed, of_matrix);
      CHECK((typed.tiles.values == of_matrix.tiles.values) == wrong);
      CHECK((found.tiles.values == of_matrix.tiles.values) == wrong);
      CHECK((found.tiles.values.size() < of_matrix.tiles.values.size()) == !wrong);
      double largest = 0;
      for (const double ratio : found.tiles.values) largest = std::max(largest, ratio);
      CHECK(largest >= found.max_ratio.value);
      CHECK(largest <= found.max_ratio.value * (1 + 0x1p-4));
    }
}

TEST_CASE("stored references may have one error bound for all") {
  struct Uniform {
    const double* value;
    ExpectedElement operator()(Index, Index column) const { return {value[column], 0.25}; }
    void expected_block(Index, Index first, Index count, double* to_value, double* to_error) const {
      std::copy_n(value + first, count, to_value);
      std::fill_n(to_error, count, 0.25);
    }
    ExpectedRow<double> placed_block(Index, Index first, Index, double*, double*) const {
      return {value + first, nullptr, 0.25};
    }
  };
  constexpr Index columns = 5000;
  std::vector<float32> actual;
  std::vector<double> value;
  for (Index i = 0; i < columns; ++i) {
    value.push_back(reference_at(0, i));
    actual.push_back(encode<float32>(value.back() + (i == 4321 ? 0.26 : i % 2 == 0 ? 0.24 : -0.125)));
  }
  Host host(2);
  auto stream = host.make_stream().value();
  const Comparison found = compare_operand(host, stream, contiguous_operand(actual.data(), {1, columns}),
                                           Uniform{value.data()}, ChosenTolerance{})
                               .value();
  CHECK(found.violations == 1);
  REQUIRE(found.worst.size() == 1);
  CHECK(found.worst[0].position.column == 4321);
}
