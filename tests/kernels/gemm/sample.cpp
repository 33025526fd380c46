#include "assay/kernels/gemm/sample.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/kernels/gemm/reference.hpp"
#include "kernels/gemm_operands.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

using Bf16 = Gemm<bfloat16, bfloat16, float32, bfloat16>;
using F32 = Gemm<float32, float32, float32, float32>;
using F64 = Gemm<float64, float64, float64, float64>;

bool holds(const GemmSamplePlaces& places, GemmPosition position) {
  return std::find(places.positions.begin(), places.positions.end(), position) != places.positions.end();
}

}  // namespace

TEST_CASE("a sample has corners, tile edges and random places, each once and within the output") {
  const GemmProblem problem = gemm_of(300, 517, 9, 4);
  const GemmSamplePlaces places = gemm_sample_places(problem, default_gemm_sample(problem), 5);
  CHECK(default_gemm_sample(problem) == 817);
  CHECK(places.positions.size() <= 817);
  CHECK(places.positions.size() > 800);  // random places may coincide
  CHECK(places.drawn > 400);
  for (Index batch : {0, 3})
    for (Index row : {0, 299})
      for (Index column : {0, 516}) CHECK(holds(places, {batch, row, column}));
  for (Index batch = 0; batch < 4; ++batch) CHECK(holds(places, {batch, 299, 516}));
  std::size_t edges = 0;
  for (const GemmPosition& at : places.positions) {
    REQUIRE((at.batch >= 0 && at.batch < 4 && at.row >= 0 && at.row < 300 && at.column >= 0 && at.column < 517));
    edges += (at.row == 255 || at.row == 256 || at.row == 287 || at.row == 288 || at.row == 127 || at.row == 128) &&
             (at.column % 8 == 0 || at.column % 8 == 7);
  }
  CHECK(edges > 10);
  CHECK(std::adjacent_find(places.positions.begin(), places.positions.end()) == places.positions.end());
  CHECK(std::is_sorted(places.positions.begin(), places.positions.end()));
  CHECK(gemm_sample_places(problem, 817, 5).positions == places.positions);
  CHECK(gemm_sample_places(problem, 817, 6).positions != places.positions);
}

TEST_CASE("random places reach every part of the output alike") {
  const GemmProblem problem = gemm_of(40, 60, 3, 5);
  std::vector<int> hits(5 * 4 * 6);
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const GemmPosition& at : gemm_sample_places(problem, 600, seed).positions)
      ++hits[static_cast<std::size_t>((at.batch * 4 + at.row / 10) * 6 + at.column / 10)];
  CHECK(*std::min_element(hits.begin(), hits.end()) > 100);  // of some 36000 in 120 parts
}

TEST_CASE("samples of outputs of any size") {
  for (const GemmProblem& problem :
       {gemm_of(1, 1, 1), gemm_of(2, 3, 1), gemm_of(1, 5000, 1), gemm_of(9, 1, 1, 100), gemm_of(257, 8, 0)}) {
    const Index elements = problem.batch * problem.m * problem.n;
    for (Index count : {Index{1}, Index{4}, default_gemm_sample(problem), elements, elements + 100}) {
      const GemmSamplePlaces places = gemm_sample_places(problem, count, 1);
      INFO(name_of(problem) << ' ' << count);
      CHECK(!places.positions.empty());
      CHECK(static_cast<Index>(places.positions.size()) <= std::min(count, elements));
      CHECK(places.drawn <= count);
    }
  }
  CHECK(gemm_sample_places(gemm_of(0, 5, 5), 10, 1).positions.empty());
  CHECK(gemm_sample_places(gemm_of(5, 5, 5, 0), 10, 1).positions.empty());
}

TEMPLATE_TEST_CASE("sampled elements have the exact value and the reference's own bound", "", Bf16, F32, F64) {
  GemmProblem plain = gemm_of(20, 30, 70, 2), scaled = plain, columns = plain;
  scaled.alpha = 0.75, scaled.beta = -1.5;
  columns.order = StorageOrder::column_major, columns.transpose_a = true, columns.leading_dimension_b = 80;
  for (const GemmProblem& problem : {plain, scaled, columns}) {
    Host host(2);
    Host::Stream stream;
    GemmVectors<TestType> operands(problem, gemm_data<TestType>(FillKind::normal, problem, 3));
    const GemmBound bound = gemm_bound(problem, accumulation_in<typename TestType::Accumulator>(),
                                       RoundingModel::statistical, problem.k, gemm_needs_double_double<TestType>)
                                .bound;
    auto reference = gemm_reference<TestType>(host, stream, problem, operands.arguments(), bound);
    REQUIRE(reference);
    std::vector<typename TestType::FormatC> written(operands.c.size());
    for (std::size_t i = 0; i < written.size(); ++i)
      written[i] = encode<typename TestType::FormatC>(static_cast<double>(i % 128));
    auto arguments = operands.arguments();
    const auto before = arguments.c;
    arguments.c.data = written.data();
    const std::vector<GemmPosition> positions{{0, 0, 0}, {0, 19, 7}, {1, 3, 29}, {1, 19, 29}};
    auto sample = gemm_sample<TestType>(host, stream, arguments, before, positions, bound);
    REQUIRE(sample);
    REQUIRE(sample.value().size == 4);
    for (Index i = 0; i < 4; ++i) {
      const auto [batch, row, column] = positions[static_cast<std::size_t>(i)];
      const ExpectedElement found = sample.value().expected()(i, 0),
                            full = reference.value().expected()(batch * problem.m + row, column);
      const auto exact = operands.exact(batch, row, column);
      CHECK(found.value == static_cast<double>(exact.value));
      CHECK(found.error == Approx(full.error).epsilon(1e-6));
      CHECK(decode(sample.value().view()(i, 0)) == decode(arguments.c(batch, row, column)));
    }
  }
}

TEST_CASE("the first and last NaN or infinity of every row or column are found, and all are counted") {
  Host host(2);
  Host::Stream stream;
  const float nan = std::nanf(""), infinity = HUGE_VALF;
  for (bool by_columns : {false, true}) {
    std::vector<float> c(2 * 5 * 7, 1.0F);
    const StridedView<const float, 3> view{c.data(), {2, 5, 7}, {35, by_columns ? 1 : 7, by_columns ? 5 : 1}};
    CHECK(find_nonfinite(host, stream, view, 10).value().count == 0);
    const auto set = [&](Index batch, Index row, Index column, float value) {
      const_cast<float&>(view(batch, row, column)) = value;
    };
    set(0, 2, 3, nan);
    set(1, 4, 0, infinity);
    set(1, 4, 2, -infinity);
    set(1, 4, 6, nan);
    const GemmNonfinite found = find_nonfinite(host, stream, view, 10).value();
    CHECK(found.count == 4);
    CHECK(found.positions.size() == (by_columns ? 4 : 3));
    CHECK(found.positions[0] == GemmPosition{0, 2, 3});
    CHECK(found.positions[1] == GemmPosition{1, 4, 0});
    CHECK(found.positions.back() == GemmPosition{1, 4, 6});
    CHECK(find_nonfinite(host, stream, view, 2).value().positions.size() == 2);
    CHECK(find_nonfinite(host, stream, view, 2).value().count == 4);
  }
}
