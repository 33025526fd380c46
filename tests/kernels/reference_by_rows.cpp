#include "assay/kernels/reference_by_rows.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"

using namespace assay;

namespace {

/// The share of each element in the sum of its row.
struct Shares {
  struct Row {
    double sum;
  };
  Operand input;
  Index columns = 0;
  const Row* rows = nullptr;
  int output = 0;

  [[nodiscard]] Row row_of(Index row) const {
    Row found{0};
    for (Index column = 0; column < columns; ++column) found.sum += input.load(row * columns + column);
    return found;
  }
  [[nodiscard]] ExpectedElement operator()(Index row, Index column) const {
    return {input.load(row * columns + column) / rows[row].sum, 0};
  }
};

struct WithoutRows {
  using Row = Shares::Row;
  [[nodiscard]] Row row_of(Index) const { return {1}; }
};

/// Gives out no memory.
struct Full : Host {
  template <class T>
  Result<Buffer<T>> allocate(std::size_t) {
    return failure(ErrorKind::out_of_memory, "there is no memory left");
  }
};

}  // namespace

TEST_CASE("what rows share is found once for each, in parallel, and kept as long as the reference") {
  static_assert(ExpectationByRows<Shares> && !ExpectationByRows<WithoutRows>);
  constexpr Index rows = 1000, columns = 7;
  std::vector<float> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 11 + 1);
  Host host(4);
  auto stream = host.make_stream();
  auto reference = reference_by_rows(host, stream.value(), rows,
                                     Shares{contiguous_operand(values.data(), {rows, columns}), columns});
  REQUIRE(reference);
  const OperationReference<Shares> kept = std::move(reference).value();
  for (Index row = 0; row < rows; ++row) {
    double sum = 0;
    for (Index column = 0; column < columns; ++column)
      sum += static_cast<double>(values[static_cast<std::size_t>(row * columns + column)]);
    for (Index column = 0; column < columns; ++column)
      REQUIRE(kept.expected(row, column).value ==
              static_cast<double>(values[static_cast<std::size_t>(row * columns + column)]) / sum);
  }
}

TEST_CASE("no rows make a reference, and a backend that refuses memory is heard") {
  Host host(1);
  auto stream = host.make_stream();
  CHECK(reference_by_rows(host, stream.value(), 0, Shares{}));
  Full full;
  auto other = full.make_stream();
  const auto refused = reference_by_rows(full, other.value(), 3, Shares{});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "there is no memory left");
}
