#include "assay/compare/block_expectation.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/compare.hpp"
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
  ExpectedElement operator()(Index row, Index column) const { return {reference_at(row, column), error_at(row, column)}; }
  void expected_block(Index row, Index first, Index count, double* value, double* error) const {
    for (Index i = 0; i < count; ++i) {
      value[i] = reference_at(row, first + i);
      error[i] = error_at(row, first + i);
    }
  }
};
static_assert(BlockExpectation<Computed>);
static_assert(!BlockExpectation<ExpectedArrays>);

template <class T>
void require_same(Index rows, Index columns) {
  std::vector<T> actual(static_cast<std::size_t>(rows * columns));
  std::vector<double> value(actual.size()), error(actual.size());
  for (Index row = 0; row < rows; ++row)
    for (Index column = 0; column < columns; ++column) {
      const auto e = static_cast<std::size_t>(row * columns + column);
      value[e] = reference_at(row, column);
      error[e] = error_at(row, column);
      const bool wrong = e % 977 == 3;
      actual[e] = encode<T>(value[e] + (wrong ? 0.5 : error[e] * 0.9));
    }
  Host host(2);
  auto stream = host.make_stream().value();
  const auto view = contiguous_view<const T, 2>(actual.data(), {rows, columns});
  const Comparison stored = compare(host, stream, view, ExpectedArrays{value.data(), error.data(), columns}, ChosenTolerance{}).value();
  const Comparison computed = compare(host, stream, view, Computed{}, ChosenTolerance{}).value();
  CHECK(computed.elements == stored.elements);
  CHECK(computed.violations == stored.violations);
  CHECK(computed.violations > 0);
  CHECK(computed.max_ratio.value == stored.max_ratio.value);
  CHECK(computed.max_ratio.position.row == stored.max_ratio.position.row);
  CHECK(computed.max_ratio.position.column == stored.max_ratio.position.column);
  CHECK(computed.max_ulp_error.value == stored.max_ulp_error.value);
  CHECK(computed.tiles.values == stored.tiles.values);
  CHECK(computed.row_ratio == stored.row_ratio);
  CHECK(computed.statistics.misrounded == stored.statistics.misrounded);
  CHECK(computed.statistics.squared_error == Approx(stored.statistics.squared_error).epsilon(1e-6));
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
