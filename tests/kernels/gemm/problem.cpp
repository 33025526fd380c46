#include "assay/kernels/gemm/problem.hpp"

#include <cstdint>
#include <functional>

#include "testing/catch.hpp"

using namespace assay;

namespace {

GemmProblem valid() {
  GemmProblem problem;
  problem.m = 5;
  problem.n = 7;
  problem.k = 3;
  problem.batch = 2;
  return problem;
}

}  // namespace

TEST_CASE("a problem that cannot be is invalid, and the message names the field, what was given and what is allowed") {
  constexpr Index huge = Index{1} << 62;
  struct Bad {
    std::function<void(GemmProblem&)> spoil;
    std::vector<const char*> words;
  };
  const std::vector<Bad> bad{
      {[](auto& p) { p.m = -1; }, {"m is -1", "0 or more"}},
      {[](auto& p) { p.n = -2; }, {"n is -2", "0 or more"}},
      {[](auto& p) { p.k = INT64_MIN; }, {"k is -9223372036854775808", "0 or more"}},
      {[](auto& p) { p.batch = -4; }, {"batch is -4", "0 or more"}},
      {[](auto& p) { p.leading_dimension_a = 2; }, {"leading_dimension of A is 2", "at least 3"}},
      {[](auto& p) { p.leading_dimension_a = -9; }, {"leading_dimension of A is -9"}},
      {[](auto& p) { p.transpose_a = true, p.leading_dimension_a = 4; },
       {"leading_dimension of A is 4", "3×5", "at least 5"}},
      {[](auto& p) { p.leading_dimension_b = 6; }, {"leading_dimension of B is 6", "at least 7"}},
      {[](auto& p) { p.order = StorageOrder::column_major, p.leading_dimension_b = 2; },
       {"leading_dimension of B is 2", "column-major", "at least 3"}},
      {[](auto& p) { p.leading_dimension_c = 1; }, {"leading_dimension of C is 1", "at least 7"}},
      {[](auto& p) { p.batch_stride_a = 14; }, {"batch_stride of A is 14", "15", "overlap"}},
      {[](auto& p) { p.batch_stride_b = 20; }, {"batch_stride of B is 20", "21", "overlap"}},
      {[](auto& p) { p.batch_stride_c = 1; }, {"batch_stride of C is 1", "35", "overlap"}},
      {[](auto& p) { p.batch_stride_c = -35; }, {"batch_stride of C is -35", "0 (the tightest) or more"}},
      {[](auto& p) { p.batch = 1, p.batch_stride_a = -1; }, {"batch_stride of A is -1"}},
      {[](auto& p) { p.m = huge; }, {"extents of A", "exceed"}},
      {[](auto& p) { p.n = huge, p.m = 1, p.k = 2; }, {"extents of B", "exceed"}},
      {[](auto& p) { p.k = 1, p.m = p.n = Index{1} << 32; }, {"extents of C", "exceed"}},
      {[](auto& p) { p.leading_dimension_a = huge; },
       {"extents of A", "leading_dimension 4611686018427387904", "exceed"}},
      {[](auto& p) { p.batch = huge; }, {"batches of A", "exceed"}},
      {[](auto& p) { p.batch_stride_c = INT64_MAX - 34; }, {"batches of C", "exceed"}},
  };
  for (const Bad& entry : bad) {
    GemmProblem problem = valid();
    entry.spoil(problem);
    const auto layout = lay_out(problem);
    INFO("expected: " << entry.words[0]);
    REQUIRE(!layout.has_value());
    CHECK(layout.error().kind == ErrorKind::invalid);
    for (const char* word : entry.words) CHECK_THAT(layout.error().message, assay::testing::contains(word));
  }
  REQUIRE(lay_out(valid()).has_value());
}

TEST_CASE("the smallest strides that do not overlap are accepted") {
  GemmProblem problem = valid();
  problem.leading_dimension_c = 9;
  problem.batch_stride_c = 4 * 9 + 7;
  const auto layout = lay_out(problem);
  REQUIRE(layout.has_value());
  CHECK(layout.value().c.elements == 2 * (4 * 9 + 7));
}

TEST_CASE("the batch stride of a single matrix says nothing") {
  GemmProblem problem = valid();
  problem.batch = 1;
  problem.batch_stride_c = 3;
  const auto layout = lay_out(problem);
  REQUIRE(layout.has_value());
  CHECK(layout.value().c.batch_stride == 35);
  CHECK(layout.value().c.elements == 35);
}

TEST_CASE("operands lie where storage order, transposition, leading dimension and batch stride put them") {
  for (StorageOrder order : {StorageOrder::row_major, StorageOrder::column_major})
    for (bool transpose_a : {false, true})
      for (bool transpose_b : {false, true})
        for (Index padding : {0, 4}) {
          GemmProblem problem = valid();
          problem.order = order;
          problem.transpose_a = transpose_a;
          problem.transpose_b = transpose_b;
          const bool row_major = order == StorageOrder::row_major;
          // vectors as stored: rows of row-major, columns of column-major storage
          const Index length_a = row_major != transpose_a ? 3 : 5, length_b = row_major != transpose_b ? 7 : 3,
                      length_c = row_major ? 7 : 5;
          if (padding > 0) {
            problem.leading_dimension_a = length_a + padding;
            problem.leading_dimension_b = length_b + padding;
            problem.leading_dimension_c = length_c + padding;
            problem.batch_stride_a = problem.batch_stride_b = problem.batch_stride_c = 200;
          }
          const auto layout = lay_out(problem);
          REQUIRE(layout.has_value());
          const auto place = [&](const GemmOperandLayout& at, Index b, Index i, Index j) {
            return b * at.batch_stride + i * at.row_stride + j * at.column_stride;
          };
          const auto stored = [&](Index length, Index extent_rows, Index extent_columns, bool transposed, Index b,
                                  Index i, Index j) {
            const Index ld = length + padding, vectors = row_major != transposed ? extent_rows : extent_columns;
            const Index batch_stride = padding > 0 ? 200 : vectors * ld;
            return b * batch_stride + (row_major != transposed ? i * ld + j : j * ld + i);
          };
          INFO((row_major ? "row" : "column")
               << "-major, transposes " << transpose_a << transpose_b << ", padding " << padding);
          for (Index b = 0; b < 2; ++b) {
            for (Index i = 0; i < 5; ++i)
              for (Index k = 0; k < 3; ++k)
                REQUIRE(place(layout.value().a, b, i, k) == stored(length_a, 5, 3, transpose_a, b, i, k));
            for (Index k = 0; k < 3; ++k)
              for (Index j = 0; j < 7; ++j)
                REQUIRE(place(layout.value().b, b, k, j) == stored(length_b, 3, 7, transpose_b, b, k, j));
            for (Index i = 0; i < 5; ++i)
              for (Index j = 0; j < 7; ++j)
                REQUIRE(place(layout.value().c, b, i, j) == stored(length_c, 5, 7, false, b, i, j));
          }
          CHECK(layout.value().c.elements == stored(length_c, 5, 7, false, 1, 4, 6) + 1);
        }
}

TEST_CASE("empty operands have no elements, whatever the other extents") {
  GemmProblem problem;
  problem.m = 0;
  problem.n = Index{1} << 40;
  problem.k = 8;
  problem.batch = Index{1} << 10;
  const auto layout = lay_out(problem);
  REQUIRE(layout.has_value());
  CHECK(layout.value().a.elements == 0);
  CHECK(layout.value().c.elements == 0);
  problem = valid();
  problem.batch = 0;
  REQUIRE(lay_out(problem).has_value());
  CHECK(lay_out(problem).value().b.elements == 0);
  problem = valid();
  problem.k = 0;
  REQUIRE(lay_out(problem).has_value());
  CHECK(lay_out(problem).value().c.elements == 70);
}

TEST_CASE("the name tells problems apart") {
  GemmProblem problem = valid();
  CHECK(name_of(problem) == "m5-n7-k3-b2-nn-row");
  problem.transpose_b = true;
  problem.order = StorageOrder::column_major;
  problem.alpha = -1.5;
  problem.beta = 2;
  problem.leading_dimension_c = 20;
  problem.batch_stride_a = 100;
  CHECK(name_of(problem) == "m5-n7-k3-b2-nt-col-ld-bs-alpha-1.5-beta2");
}
