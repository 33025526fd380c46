#include "assay/compare/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/tensor/strided_view.hpp"
#include "assay/tolerance/absolute_relative.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/exact.hpp"
#include "assay/tolerance/tolerance_named.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Expected {
  const double* value;
  const double* error;
  Index columns;
  ExpectedElement operator()(Index row, Index column) const {
    return {value[row * columns + column], error[row * columns + column]};
  }
};

/// An output as a row-major matrix and what is expected of it, with NaN, infinities, violations and undecidable
/// elements among many good ones.
template <class T>
struct Data {
  Index rows, columns;
  std::vector<T> actual;
  std::vector<double> value, error;

  Data(Index row_count, Index column_count, unsigned seed) : rows(row_count), columns(column_count) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    const std::size_t elements = static_cast<std::size_t>(rows * columns);
    const int rarity = elements < 1000 ? 7 : 97;
    for (std::size_t i = 0; i < elements; ++i) {
      double r = unit(random) * std::ldexp(1, static_cast<int>(random() % 12)), e = std::fabs(r) * 0x1p-7;
      double out = r + unit(random) * e;
      if (random() % static_cast<unsigned>(rarity) == 0) {
        switch (random() % 13) {
          case 0: out = not_a_number; break;
          case 1: out = infinity; break;
          case 2: out = -infinity; break;
          case 3: r = not_a_number; break;
          case 4: r = out = not_a_number; break;
          case 5: r = infinity; break;
          case 6: r = infinity, out = -infinity; break;
          case 7: r = out = -infinity; break;
          case 8: r = not_a_number, out = infinity; break;
          case 9: e = infinity; break;
          case 10: out = r * 1.5; break;
          case 11: r = 0; break;
          default: r = out = e = 0; break;
        }
      }
      actual.push_back(encode<T>(out));
      value.push_back(r);
      error.push_back(e);
    }
  }

  Expected expected() const { return {value.data(), error.data(), columns}; }
};

template <class T, std::size_t Rank, class Model>
Comparison compared(const StridedView<T, Rank>& view, const Expected& expected, const Model& model,
                    unsigned threads = 2) {
  Host host(threads);
  Host::Stream stream;
  auto result = compare(host, stream, view, expected, model);
  REQUIRE(result);
  return std::move(result).value();
}

template <class T>
double naive_ulp(double r) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  const int exponent = r == 0 ? layout.min_exponent() : std::max(std::ilogb(r), layout.min_exponent());
  return std::ldexp(1.0, exponent - layout.fraction_bits);
}

double rounded_up_to_five_bits(double ratio) {
  if (!std::isfinite(ratio) || ratio == 0) return ratio;
  int exponent = 0;
  const double fraction = std::frexp(ratio, &exponent);
  return std::ldexp(std::ceil(fraction * 32), exponent - 5);
}

/// What `compare` documents, element by element, with nothing in common but the tolerance.
template <class T, class Model>
void check_naively(const Comparison& found, const Data<T>& data, const Model& model) {
  Comparison naive;
  std::vector<ComparedElement> violations;
  std::vector<double> ratios;
  long double signed_error = 0, squared_error = 0, squared_reference = 0, expected_misrounded = 0;
  const auto raise = [](Extremum& extremum, double value, Index row, Index column) {
    if (extremum.position.row < 0 || value > extremum.value) extremum = {value, {row, column}};
  };
  for (Index row = 0; row < data.rows; ++row)
    for (Index column = 0; column < data.columns; ++column) {
      const std::size_t at = static_cast<std::size_t>(row * data.columns + column);
      const double out = decode(data.actual[at]), r = data.value[at];
      const AcceptanceInterval accepted = model.template interval<T>({r, data.error[at]});
      ++naive.elements;
      ratios.push_back(0);
      if (accepted.undetermined) {
        ++naive.undetermined;
        continue;
      }
      const bool inside = std::isnan(out) ? accepted.nan_accepted : out >= accepted.lower && out <= accepted.upper;
      double ratio = 0;
      if (!std::isfinite(out) || !std::isfinite(r)) {
        ratio = inside ? 0 : infinity;
      } else {
        if constexpr (requires { model.error_ratio(data.actual[at], {}); }) {
          ratio = model.error_ratio(data.actual[at], {r, data.error[at]});
        } else if (out != r) {
          ratio = out > r ? (out - r) / (accepted.upper - r) : (r - out) / (r - accepted.lower);
          if ((out > r ? accepted.upper - r : r - accepted.lower) <= 0) ratio = infinity;
        }
        ratio = inside ? std::min(ratio, 1.0) : std::max(ratio, std::nextafter(1.0, 2.0));
      }
      ratios.back() = ratio;
      raise(naive.max_ratio, ratio, row, column);
      if (!inside) {
        ++naive.violations;
        if (std::isnan(out))
          ++naive.nan_unexpected;
        else if (std::isnan(r))
          ++naive.nan_missing;
        else if (std::isinf(out))
          ++naive.infinity_unexpected;
        else if (std::isinf(r) || std::fabs(r) >= max_finite<T>() + naive_ulp<T>(max_finite<T>()))
          ++naive.infinity_missing;
        violations.push_back({{row, column}, out, r, accepted.lower, accepted.upper, ratio});
      }
      if (!std::isfinite(out) || !std::isfinite(r)) continue;
      const double size = std::fabs(out - r), ulp = naive_ulp<T>(r);
      raise(naive.max_absolute_error, size, row, column);
      if (r != 0) raise(naive.max_relative_error, size / std::fabs(r), row, column);
      raise(naive.max_ulp_error, size / ulp, row, column);
      ++naive.statistics.elements;
      signed_error += out - r;
      squared_error += (out - r) * (out - r);
      squared_reference += r * r;
      expected_misrounded += std::min(1.0, data.error[at] / ulp);
      const double rounded = decode(T(encode<T>(r)));
      naive.statistics.misrounded += out != rounded ? 1 : 0;
      naive.statistics.misrounded_inward += out != rounded && std::fabs(out) < std::fabs(rounded) ? 1 : 0;
    }

  CHECK(found.rows == data.rows);
  CHECK(found.columns == data.columns);
  CHECK(found.elements == naive.elements);
  CHECK(found.violations == naive.violations);
  CHECK(found.no_violations() == (naive.violations == 0));
  CHECK(found.undetermined == naive.undetermined);
  CHECK(found.nan_unexpected == naive.nan_unexpected);
  CHECK(found.nan_missing == naive.nan_missing);
  CHECK(found.infinity_unexpected == naive.infinity_unexpected);
  CHECK(found.infinity_missing == naive.infinity_missing);
  const auto same = [](const char* what, const Extremum& a, const Extremum& b) {
    INFO(what);
    CHECK(a.value == b.value);
    CHECK(a.position.row == b.position.row);
    CHECK(a.position.column == b.position.column);
  };
  same("absolute", found.max_absolute_error, naive.max_absolute_error);
  same("relative", found.max_relative_error, naive.max_relative_error);
  same("ulp", found.max_ulp_error, naive.max_ulp_error);
  same("ratio", found.max_ratio, naive.max_ratio);
  const auto near = [&](double a, long double b, long double scale) {
    CHECK(std::fabs(static_cast<double>(a - b)) <= 1e-12 * static_cast<double>(scale) + 1e-300);
  };
  CHECK(found.statistics.elements == naive.statistics.elements);
  CHECK(found.statistics.misrounded == naive.statistics.misrounded);
  CHECK(found.statistics.misrounded_inward == naive.statistics.misrounded_inward);
  near(found.statistics.signed_error, signed_error,
       std::sqrt(squared_error * static_cast<long double>(naive.elements)));
  near(found.statistics.squared_error, squared_error, squared_error);
  near(found.statistics.squared_reference, squared_reference, squared_reference);
  near(found.statistics.expected_misrounded, expected_misrounded, expected_misrounded);

  std::sort(violations.begin(), violations.end(), [](const ComparedElement& a, const ComparedElement& b) {
    return a.ratio != b.ratio
               ? a.ratio > b.ratio
               : std::pair(a.position.row, a.position.column) < std::pair(b.position.row, b.position.column);
  });
  REQUIRE(found.worst.size() == std::min(violations.size(), Comparison::worst_count));
  for (std::size_t i = 0; i < found.worst.size(); ++i) {
    const ComparedElement &a = found.worst[i], &b = violations[i];
    CHECK(a.position.row == b.position.row);
    CHECK(a.position.column == b.position.column);
    CHECK(a.ratio == b.ratio);
    CHECK(a.ratio > 1);
    CHECK(detail::bits_of(a.actual) == detail::bits_of(b.actual));
    CHECK(detail::bits_of(a.expected) == detail::bits_of(b.expected));
    CHECK(a.lower == b.lower);
    CHECK(a.upper == b.upper);
  }

  if (naive.elements == 0) {
    CHECK(found.row_ratio.empty());
    CHECK(found.tiles.values.empty());
    return;
  }
  // groups of rows and tiles cover the matrix, and each holds the largest ratio of what it covers
  const Index groups = (data.rows + found.rows_per_group - 1) / found.rows_per_group;
  const HeatMap& tiles = found.tiles;
  REQUIRE(found.row_ratio.size() == static_cast<std::size_t>(groups));
  REQUIRE(tiles.rows == static_cast<std::size_t>((data.rows + tiles.rows_per_cell - 1) / tiles.rows_per_cell));
  REQUIRE(tiles.columns ==
          static_cast<std::size_t>((data.columns + tiles.columns_per_cell - 1) / tiles.columns_per_cell));
  CHECK(tiles.rows <= 64);
  CHECK(tiles.columns <= 64);
  std::vector<double> row_ratio(found.row_ratio.size(), 0), cells(tiles.rows * tiles.columns, 0);
  for (Index row = 0; row < data.rows; ++row)
    for (Index column = 0; column < data.columns; ++column) {
      const double ratio = ratios[static_cast<std::size_t>(row * data.columns + column)];
      double& group = row_ratio[static_cast<std::size_t>(row / found.rows_per_group)];
      double& cell = cells[static_cast<std::size_t>(row / tiles.rows_per_cell) * tiles.columns +
                           static_cast<std::size_t>(column / tiles.columns_per_cell)];
      group = std::max(group, ratio);
      cell = std::max(cell, ratio);
    }
  for (std::vector<double>* shown : {&row_ratio, &cells})
    for (double& ratio : *shown) ratio = rounded_up_to_five_bits(ratio);
  CHECK(found.row_ratio == row_ratio);
  CHECK(tiles.values == cells);
}

/// Every field, bit for bit, as text.
std::string everything(const Comparison& c) {
  std::string text;
  const auto number = [&](double value) { text += std::to_string(detail::bits_of(value)) + ' '; };
  const auto count = [&](auto value) { text += std::to_string(value) + ' '; };
  for (Index value : {c.rows, c.columns, c.rows_per_group, static_cast<Index>(c.tiles.rows_per_cell),
                      static_cast<Index>(c.tiles.columns_per_cell)})
    count(value);
  for (std::uint64_t value : {c.elements, c.violations, c.undetermined, c.refined, c.in_doubt, c.nan_unexpected,
                              c.nan_missing, c.infinity_unexpected, c.infinity_missing, c.statistics.elements,
                              c.statistics.misrounded, c.statistics.misrounded_inward})
    count(value);
  for (const Extremum& e : {c.max_absolute_error, c.max_relative_error, c.max_ulp_error, c.max_ratio}) {
    number(e.value);
    count(e.position.row);
    count(e.position.column);
  }
  for (double value : {c.statistics.signed_error, c.statistics.squared_error, c.statistics.squared_reference,
                       c.statistics.expected_misrounded})
    number(value);
  for (const ComparedElement& e : c.worst) {
    count(e.position.row);
    count(e.position.column);
    for (double value : {e.actual, e.expected, e.lower, e.upper, e.ratio}) number(value);
  }
  for (double value : c.row_ratio) number(value);
  for (double value : c.tiles.values) number(value);
  return text;
}

template <class T>
StridedView<const T, 2> matrix(const Data<T>& data) {
  return contiguous_view<const T, 2>(data.actual.data(), {data.rows, data.columns});
}

}  // namespace

TEMPLATE_TEST_CASE("every count, extremum, list and map agrees with a naive pass, for every shape", "[compare]",
                   float64, float32, float16, bfloat16) {
  unsigned seed = 0;
  for (const auto& [rows, columns] : {std::pair<Index, Index>{0, 5},
                                      {5, 0},
                                      {0, 0},
                                      {1, 1},
                                      {1, 2},
                                      {7, 1},
                                      {1, 100000},
                                      {100000, 1},
                                      {64, 64},
                                      {65, 129},
                                      {1025, 3},
                                      {2049, 70}}) {
    INFO(rows << " x " << columns);
    const Data<TestType> data(rows, columns, ++seed);
    check_naively(compared(matrix(data), data.expected(), DerivedTolerance{}), data, DerivedTolerance{});
    check_naively(compared(matrix(data), data.expected(), AbsoluteRelativeTolerance{1e-3, 1e-3}), data,
                  AbsoluteRelativeTolerance{1e-3, 1e-3});
    check_naively(compared(matrix(data), data.expected(), ExactTolerance{}), data, ExactTolerance{});
  }
}

TEST_CASE("a large matrix is cut into segments and tiles without a seam", "[compare]") {
  const Data<float16> wide(513, 4097, 77);
  check_naively(compared(matrix(wide), wide.expected(), DerivedTolerance{}, 3), wide, DerivedTolerance{});
  const Data<bfloat16> segmented(3, 20000, 78);
  check_naively(compared(matrix(segmented), segmented.expected(), DerivedTolerance{}, 3), segmented,
                DerivedTolerance{});
}

TEST_CASE("the result is the same, bit for bit, for any number of threads", "[compare]") {
  const auto check = [](auto zero, Index rows, Index columns) {
    const Data<decltype(zero)> data(rows, columns, 5);
    const std::string once = everything(compared(matrix(data), data.expected(), DerivedTolerance{}, 1));
    for (unsigned threads = 2; threads <= 8; ++threads)
      CHECK(everything(compared(matrix(data), data.expected(), DerivedTolerance{}, threads)) == once);
  };
  check(float32{}, 300, 517);
  check(float64{}, 3, 50000);
  check(bfloat16{}, 5000, 9);
}

TEST_CASE("rank and strides change nothing but the way to an element", "[compare]") {
  const Data<float32> data(24, 35, 8);
  const std::string plain = everything(compared(matrix(data), data.expected(), DerivedTolerance{}));
  const auto check = [&](const auto& view) {
    CHECK(everything(compared(view, data.expected(), DerivedTolerance{})) == plain);
  };
  SECTION("rank") {
    check(contiguous_view<const float32, 3>(data.actual.data(), {4, 6, 35}));
    check(contiguous_view<const float32, 4>(data.actual.data(), {2, 3, 4, 35}));
    check(contiguous_view<const float32, 4>(data.actual.data(), {1, 24, 1, 35}));
    const Data<float32> row(1, 840, 8);
    CHECK(everything(compared(contiguous_view<const float32, 1>(row.actual.data(), {840}), row.expected(),
                              DerivedTolerance{})) ==
          everything(compared(matrix(row), row.expected(), DerivedTolerance{})));
  }
  SECTION("mutable elements") {
    std::vector<float32> copy = data.actual;
    check(contiguous_view<float32, 2>(copy.data(), {24, 35}));
  }
  SECTION("column-major") {
    std::vector<float32> columns(data.actual.size());
    for (Index row = 0; row < 24; ++row)
      for (Index column = 0; column < 35; ++column)
        columns[static_cast<std::size_t>(column * 24 + row)] = data.actual[static_cast<std::size_t>(row * 35 + column)];
    check(StridedView<const float32, 2>{columns.data(), {24, 35}, {1, 24}});
  }
  SECTION("reversed") {
    std::vector<float32> reversed(data.actual.rbegin(), data.actual.rend());
    check(StridedView<const float32, 2>{reversed.data() + 839, {24, 35}, {-35, -1}});
    check(StridedView<const float32, 3>{reversed.data() + 839, {4, 6, 35}, {-210, -35, -1}});
  }
  SECTION("with gaps that nobody reads") {
    std::vector<float32> padded(24 * 50, std::numeric_limits<float32>::quiet_NaN());
    for (Index row = 0; row < 24; ++row) std::copy_n(data.actual.begin() + row * 35, 35, padded.begin() + row * 50);
    check(StridedView<const float32, 2>{padded.data(), {24, 35}, {50, 1}});
  }
}

TEST_CASE("a broadcast output is compared as often as it is seen", "[compare]") {
  const float32 one = 1;
  const std::vector<double> value{1, 1, 1, 2, 1, 1}, error(6, 0);
  const Comparison found = compared(StridedView<const float32, 2>{&one, {2, 3}, {0, 0}},
                                    Expected{value.data(), error.data(), 3}, DerivedTolerance{});
  CHECK(found.elements == 6);
  CHECK(found.violations == 1);
  REQUIRE(found.worst.size() == 1);
  CHECK(found.worst[0].position.row == 1);
  CHECK(found.worst[0].position.column == 0);
}

TEST_CASE("the ratio is at most 1 exactly for what is accepted", "[compare]") {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> unit(-1, 1);
  int inside = 0, outside = 0;
  const ChosenTolerance chosen[] = {tolerance_named("derived").value(), tolerance_named("exact").value(),
                                    tolerance_named("ulps=2").value(), tolerance_named("atol=0.01,rtol=0.001").value(),
                                    tolerance_named("strict").value()};
  for (int i = 0; i < 4000; ++i) {
    const ChosenTolerance& tolerance = chosen[i % 5];
    const double special[] = {0.0, infinity, -infinity, not_a_number, 65504, 65520, 1e6, unit(random)};
    const double value = i % 9 == 0 ? special[random() % 8] : unit(random) * 8,
                 error = i % 3 == 0 ? 0 : std::fabs(unit(random)) * 0.02;
    const float16 out = encode<float16>(i % 11 == 0 ? special[random() % 8] : value + unit(random) * 0.03);
    const bool accepted = tolerance.interval<float16>({value, error}).contains(decode(out));
    const Comparison found =
        compared(StridedView<const float16, 1>{&out, {1}, {1}}, Expected{&value, &error, 1}, tolerance, 1);
    (accepted ? inside : outside)++;
    if ((found.max_ratio.value <= 1) != accepted || found.no_violations() != accepted)
      FAIL("r = " << value << ", E = " << error << ", out = " << decode(out) << ": " << found.max_ratio.value);
  }
  CHECK(inside > 500);
  CHECK(outside > 500);
}

TEST_CASE("special values are counted by what came and what was due", "[compare]") {
  const auto count = [](double out, double value) {
    const float16 stored = encode<float16>(out);
    const double error = 0;
    return compared(StridedView<const float16, 1>{&stored, {1}, {1}}, Expected{&value, &error, 1}, DerivedTolerance{});
  };
  for (double number : {0.0, 1.0, -65504.0}) {
    CHECK(count(not_a_number, number).nan_unexpected == 1);
    CHECK(count(number, not_a_number).nan_missing == 1);
    CHECK(count(infinity, number).infinity_unexpected == 1);
    CHECK(count(number, -infinity).infinity_missing == 1);
    CHECK(count(number, 1e6).infinity_missing == 1);  // the reference overflows f16
    CHECK(count(number, number).violations == 0);
  }
  CHECK(count(not_a_number, infinity).nan_unexpected == 1);
  CHECK(count(infinity, not_a_number).nan_missing == 1);
  CHECK(count(infinity, not_a_number).infinity_unexpected == 0);
  CHECK(count(infinity, -infinity).infinity_unexpected == 1);
  CHECK(count(infinity, -infinity).infinity_missing == 0);
  CHECK(count(not_a_number, not_a_number).violations == 0);
  CHECK(count(infinity, infinity).violations == 0);
  CHECK(count(-0.0, 0.0).violations == 0);
  CHECK(count(not_a_number, not_a_number).max_ratio.value == 0);
  CHECK(count(2, 1).violations == 1);
  CHECK(count(2, 1).max_ratio.value == infinity);  // E = 0: nothing else is right
}

TEST_CASE("what cannot be determined is counted and not judged", "[compare]") {
  const Data<float32> data(4, 4, 1);
  const std::vector<double> endless(16, infinity);
  std::vector<double> value(16, 1.0);
  const Comparison found = compared(matrix(data), Expected{value.data(), endless.data(), 4}, DerivedTolerance{});
  CHECK(found.elements == 16);
  CHECK(found.undetermined == 16);
  CHECK(found.violations == 0);
  CHECK(found.statistics.elements == 0);
  CHECK(found.max_ratio.position.row == -1);
}

TEST_CASE("compare refuses views that cannot be walked", "[compare]") {
  Host host(1);
  Host::Stream stream;
  const float32 one = 1;
  const double number = 1;
  const auto attempt = [&](StridedView<const float32, 2> view) {
    static_cast<void>(compare(host, stream, view, Expected{&number, &number, 1}, ExactTolerance{}));
  };
  CHECK_THROWS_WITH(attempt({&one, {-1, 1}, {1, 1}}), contains("compare: extent -1"));
  CHECK_THROWS_WITH(attempt({&one, {-1, -1}, {1, 1}}), contains("negative"));
  CHECK_THROWS_WITH(attempt({nullptr, {1, 1}, {1, 1}}), contains("null pointer"));
  CHECK_NOTHROW(attempt({nullptr, {0, 1}, {1, 1}}));
  CHECK_NOTHROW(attempt({&one, {1, 1}, {1, 1}}));
}
