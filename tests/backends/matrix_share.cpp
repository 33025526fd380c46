#include "assay/backends/matrix_share.hpp"

#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

constexpr int rows = 32, columns = 24, depth = 20, groups = 3;
using Share = MatrixShare<rows, columns>;

/// left · right of three groups, twice: each phase multiplies what lies in one half of shared memory and fills the
/// other one.
struct MultiplyTwice {
  static constexpr int threads = 32 * groups;
  struct Shared {
    double left[2][groups][rows * depth], right[2][groups][depth * columns];
  };
  const double *left, *right;  ///< two of each for each group
  double* results;
  bool spoil;  ///< what other groups may still be reading

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    typename Block::template PerThread<Share> shares;
    const auto fill = [&](int thread, int half) {
      const int group = thread / 32;
      for (int i = thread % 32; i < rows * depth; i += 32)
        shared.left[half][group][i] = left[(2 * group + half) * rows * depth + i];
      for (int i = thread % 32; i < columns * depth; i += 32)
        shared.right[half][group][i] = right[(2 * group + half) * columns * depth + i];
    };
    block.each([&](int thread) { fill(thread, 0); });
    for (int half = 0; half < 2; ++half) {
      block.multiply_accumulate(
          shares, std::integral_constant<int, depth>{},
          [&](int group, int row, int k) { return shared.left[half][group][row * depth + k]; },
          [&](int group, int k, int column) { return shared.right[half][group][k * columns + column]; },
          [&](int thread) {
            if (half == 0) fill(thread, 1);
          },
          [&](int thread) {
            if (spoil) shared.left[half][(thread / 32 + 1) % groups][thread % 32] = -1;
          });
    }
    block.each([&](int thread) {
      for (int i = 0; i < Share::row_parts; ++i)
        for (int j = 0; j < Share::column_parts; ++j)
          for (int which = 0; which < 2; ++which)
            results[(thread / 32 * rows + Share::row(thread, i)) * columns + Share::column(thread, j, which)] =
                shares[thread].values[i][j][which];
    });
  }
};

struct Matrices {
  std::vector<double> left, right, expected;

  Matrices() : left(2 * groups * rows * depth), right(2 * groups * columns * depth), expected(groups * rows * columns) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    for (auto* values : {&left, &right})
      for (double& value : *values) value = std::ldexp(normal(random), static_cast<int>(random() % 40));
    for (int group = 0; group < groups; ++group)
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
          double sum = 0;
          for (int half = 0; half < 2; ++half)
            for (int k = 0; k < depth; ++k)
              sum = std::fma(left[static_cast<std::size_t>(((2 * group + half) * rows + row) * depth + k)],
                             right[static_cast<std::size_t>(((2 * group + half) * depth + k) * columns + column)], sum);
          expected[static_cast<std::size_t>((group * rows + row) * columns + column)] = sum;
        }
  }
  [[nodiscard]] std::vector<double> run(ThreadOrder order, bool spoil = false) const {
    Host host(1);
    auto stream = host.make_stream().value();
    std::vector<double> results(expected.size(), NAN);
    REQUIRE(host.parallel_blocks(stream, 1, MultiplyTwice{left.data(), right.data(), results.data(), spoil}, order));
    return results;
  }
};

}  // namespace

TEST_CASE("shares of a group cover its matrix, each element once", "[backends]") {
  std::vector<int> owners(rows * columns);
  for (int thread = 64; thread < 96; ++thread)
    for (int i = 0; i < Share::row_parts; ++i)
      for (int j = 0; j < Share::column_parts; ++j)
        for (int which = 0; which < 2; ++which)
          ++owners[static_cast<std::size_t>(Share::row(thread, i) * columns + Share::column(thread, j, which))];
  CHECK(owners == std::vector<int>(rows * columns, 1));
  // the last element of the first 8 x 8 part lies with lane 31, the one after it in the row with lane 28 of the next
  // part
  CHECK((Share::row(31, 0) == 7 && Share::column(31, 0, 1) == 7 && Share::row(28, 0) == 7 &&
         Share::column(28, 1, 0) == 8));
}

TEST_CASE("groups multiply as matrix units do: chains of fused multiply-adds in ascending k", "[backends]") {
  const Matrices matrices;
  CHECK(matrices.run(ThreadOrder::ascending) == matrices.expected);
  CHECK(matrices.run(ThreadOrder::descending) == matrices.expected);
}

TEST_CASE("a phase that writes what another group reads gives other results", "[backends]") {
  const Matrices matrices;
  CHECK(matrices.run(ThreadOrder::ascending, true) != matrices.expected);
  CHECK(matrices.run(ThreadOrder::descending, true) != matrices.expected);
}

TEST_CASE("a thread without matrix units computes the same share, bit for bit", "[backends]") {
  const Matrices matrices;
  std::vector<double> results(matrices.expected.size());
  for (int thread = 0; thread < 32 * groups; ++thread) {
    Share share;
    for (int half = 0; half < 2; ++half)
      detail::multiply_one_by_one<depth>(
          thread, share,
          [&](int group, int row, int k) {
            return matrices.left[static_cast<std::size_t>(((2 * group + half) * rows + row) * depth + k)];
          },
          [&](int group, int k, int column) {
            return matrices.right[static_cast<std::size_t>(((2 * group + half) * depth + k) * columns + column)];
          });
    for (int i = 0; i < Share::row_parts; ++i)
      for (int j = 0; j < Share::column_parts; ++j)
        for (int which = 0; which < 2; ++which)
          results[static_cast<std::size_t>((thread / 32 * rows + Share::row(thread, i)) * columns +
                                           Share::column(thread, j, which))] = share.values[i][j][which];
  }
  CHECK(results == matrices.expected);
}
