#include "assay/compare/ratio_distribution.hpp"

#include <limits>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/expected_arrays.hpp"
#include "assay/tolerance/absolute_relative.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

using Points = std::vector<std::pair<double, double>>;

Points distribution(const std::vector<double>& actual, Index columns, unsigned threads = 1, double bound = 1) {
  Host host(threads);
  Host::Stream stream;
  const std::vector<double> value(actual.size(), 0.0);
  const Index rows = columns == 0 ? 0 : static_cast<Index>(actual.size()) / columns;
  const auto series = ratio_distribution(host, stream, contiguous_view<const double, 2>(actual.data(), {rows, columns}),
                                         ExpectedArrays{value.data(), nullptr, columns}, absolute_tolerance(bound));
  REQUIRE(series);
  CHECK(series.value().x_label == "error / allowed");
  CHECK(series.value().y_label == "elements");
  return series.value().points;
}

}  // namespace

TEST_CASE("ratios are counted by powers of two, with what has none at either end", "[compare]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(distribution({0.26, 0.3, 0.49, -0.5, 1, 4.5, nan, 0.3}, 4) ==
        Points{{0.5, 4}, {1, 1}, {2, 1}, {4, 0}, {8, 1}, {infinity, 1}});
  CHECK(distribution({0, 0x1p-40, 0x1p-21, 0x1p40}, 1).front() == std::pair<double, double>{0x1p-20, 3});
  CHECK(distribution({0, 0x1p-40, 0x1p40, infinity}, 1).back() == std::pair<double, double>{infinity, 2});
  CHECK(distribution({3, 3}, 1) == Points{{1, 0}, {2, 0}, {4, 2}});  // the bin that ends at 1 is always there
  CHECK(distribution({}, 0).empty());
  CHECK(distribution({0, 1}, 2, 1, 0).back() == std::pair<double, double>{infinity, 1});  // nothing is allowed
}

TEST_CASE("the distribution covers every element, for any number of threads", "[compare]") {
  std::vector<double> actual;
  for (int i = 0; i < 1000 * 7; ++i) actual.push_back(i * 0.001);
  const Points points = distribution(actual, 7);
  double total = 0;
  for (const auto& [ratio, elements] : points) total += elements;
  CHECK(total == 7000);
  CHECK(distribution(actual, 7, 4) == points);
}
