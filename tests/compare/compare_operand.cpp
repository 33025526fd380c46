#include "assay/compare/compare_operand.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/tolerance/tolerance_named.hpp"

using namespace assay;

namespace {

struct Ramp {
  double error = 0;
  ExpectedElement operator()(Index row, Index column) const {
    return {static_cast<double>(row) * 0.5 + static_cast<double>(column) * 0.125, error};
  }
};
struct Constant {
  ExpectedElement element;
  ExpectedElement operator()(Index, Index) const { return element; }
};

Comparison compared(const Operand& actual, const auto& expected, const ChosenTolerance& tolerance = {}) {
  Host host(2);
  auto stream = host.make_stream().value();
  return compare_operand(host, stream, actual, expected, tolerance).value();
}

/// As on devices, where no format has vectors.
Comparison compared_one_by_one(const Operand& actual, const auto& expected, const ChosenTolerance& tolerance) {
  Host host(2);
  auto stream = host.make_stream().value();
  return detail::compare_elements(host, stream, actual, expected, tolerance).value();
}

template <class T>
Comparison one(T out, ExpectedElement element, const ChosenTolerance& tolerance = {}) {
  return compared(contiguous_operand(&out, {1, 1}), Constant{element}, tolerance);
}

}  // namespace

TEST_CASE("operands of any format and layout are compared, and a wrong element is found") {
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>(), element_format<float16>(),
                                      element_format<float64>(), element_format<float8_e5m2>()}) {
    for (const bool transposed : {false, true}) {
      std::vector<double> memory(3 * 4 * 40);
      Operand operand;
      operand.data = memory.data();
      operand.format = format;
      operand.rank = 3;
      const Index extents[] = {3, 4, 9}, rows[] = {64, 16, 1}, mixed[] = {1, 32, 3};
      for (int d = 0; d < 3; ++d) {
        operand.extents[d] = extents[d];
        operand.strides[d] = transposed ? mixed[d] : rows[d];
      }
      INFO(format.name << (transposed ? " transposed" : ""));
      for (Index e = 0; e < operand.size(); ++e) operand.store(e, Ramp{}(e / 9, e % 9).value);
      const Comparison right = compared(operand, Ramp{});
      CHECK(right.elements == 108);
      CHECK(right.violations == 0);
      operand.store(5 * 9 + 4, 100);
      const Comparison wrong = compared(operand, Ramp{});
      CHECK(wrong.violations == 1);
      CHECK(wrong.max_ratio.position.row == 5);
      CHECK(wrong.max_ratio.position.column == 4);
    }
  }
}

TEST_CASE("integers are right where they are nearest to a number within E") {
  CHECK(one<std::int32_t>(7, {7, 0}).violations == 0);
  CHECK(one<std::int32_t>(8, {7, 0}).violations == 1);
  CHECK(one<std::int8_t>(7, {6.45, 0.1}).violations == 0);
  CHECK(one<std::int8_t>(6, {6.45, 0.1}).violations == 0);
  CHECK(one<std::int8_t>(8, {6.45, 0.1}).violations == 1);
  CHECK(one<std::int8_t>(127, {1000, 1}).violations == 0);
  CHECK(one<std::int64_t>(std::int64_t{1} << 50, {0x1p50, 0}).violations == 0);
}

TEST_CASE("special values and undetermined elements of small formats") {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const auto e5m2 = [](double value) { return encode<float8_e5m2>(value); };
  const auto e4m3fn = [](double value) { return encode<float8_e4m3fn>(value); };
  CHECK(one(e5m2(nan), {nan, 0}).violations == 0);
  CHECK(one(e5m2(1), {nan, 0}).violations == 1);
  CHECK(one(e5m2(nan), {1, 0}).violations == 1);
  CHECK(one(e5m2(infinity), {infinity, 0}).violations == 0);
  CHECK(one(e5m2(57344), {infinity, 0}).violations == 1);
  CHECK(one(e4m3fn(1000), {1000, 1}).violations == 0);  // NaN is due
  CHECK(one(e4m3fn(448), {1000, 1}).violations == 1);
  CHECK(one(e4m3fn(448), {464, 30}).violations == 0);  // either side of overflow
  CHECK(one(e4m3fn(1000), {464, 30}).violations == 0);
  CHECK(one(e5m2(3), {1, infinity}).undetermined == 1);
  CHECK(one<std::int32_t>(3, {nan, 0}).undetermined == 1);
}

TEST_CASE("every tolerance applies to small formats") {
  const auto e5m2 = [](double value) { return encode<float8_e5m2>(value); };
  const auto chosen = [](const char* name) { return tolerance_named(name).value(); };
  CHECK(one(e5m2(1.25), {1.0, 1}, chosen("exact")).violations == 1);
  CHECK(one(e5m2(1.25), {1.0, 0}, chosen("ulps=1")).violations == 0);
  CHECK(one(e5m2(1.5), {1.0, 0}, chosen("ulps=1")).violations == 1);
  CHECK(one(e5m2(0.875), {1.0, 0}, chosen("ulps=1")).violations == 0);
  CHECK(one(e5m2(0.75), {1.0, 0}, chosen("ulps=1")).violations == 1);  // below 1 numbers lie twice as close
  CHECK(one(e5m2(1.25), {1.0, 0}, chosen("atol=0.3")).violations == 0);
  CHECK(one(e5m2(1.5), {1.0, 0}, chosen("rtol=0.3")).violations == 1);
  CHECK(one(e5m2(1.5), {1.0, 0}, chosen("normal")).violations == 0);
}

TEMPLATE_TEST_CASE("an operand is judged by presets as a tensor of its type is", "", float32, float16, bfloat16,
                   float64, float8_e4m3fn, float8_e5m2, float8_e4m3fnuz) {
  const ElementFormat format = element_format<TestType>();
  const double unit = format.unit_roundoff(), infinity = std::numeric_limits<double>::infinity();
  for (const char* name : {"strict", "normal", "relaxed", "atol=0.01,rtol=0.02"}) {
    const ChosenTolerance tolerance = tolerance_named(name).value();
    for (const double reference :
         {0.0, 1.0, -3.0, 0x1p-6, 100.0, 448.0, 500.0, 70000.0, infinity, std::numeric_limits<double>::quiet_NaN()}) {
      const AcceptanceInterval typed = tolerance.interval<TestType>({reference, 0.25}),
                               chosen = detail::operand_interval(format, tolerance, {reference, 0.25});
      INFO(format.name << ' ' << name << " of " << reference);
      CHECK(typed.lower == chosen.lower);
      CHECK(typed.upper == chosen.upper);
      CHECK(typed.nan_accepted == chosen.nan_accepted);
      CHECK(typed.undetermined == chosen.undetermined);
    }
    for (const double shift : {0.0, 1e-6, 3e-6, 3e-5, 3e-4, 3e-3, 3e-2, 0.3, 50 * unit, 500 * unit,
                               3000 * unit}) {  // with vectors or without
      TestType typed = encode<TestType>(1 + shift);
      double spread[2] = {};
      Operand apart = contiguous_operand(spread, {1, 1});
      apart.format = format;
      apart.store(0, 1 + shift);
      INFO(format.name << ' ' << name << ": " << decode(typed) << " for 1");
      const std::uint64_t wrong = tolerance.interval<TestType>({1, 0}).contains(decode(typed)) ? 0 : 1;
      CHECK(one(typed, {1, 0}, tolerance).violations == wrong);
      CHECK(compared_one_by_one(apart, Constant{{1, 0}}, tolerance).violations == wrong);
    }
  }
}

TEST_CASE("a preset leaves integers nothing") {
  for (const char* name : {"strict", "normal", "relaxed"}) {
    const ChosenTolerance tolerance = tolerance_named(name).value();
    CHECK(one<std::int32_t>(1000, {1000, 0}, tolerance).violations == 0);
    CHECK(one<std::int32_t>(1001, {1000, 0}, tolerance).violations == 1);
  }
}

TEST_CASE("an operand without elements, or without dimensions") {
  float value = 2;
  CHECK(compared(contiguous_operand(&value, {0, 4}), Ramp{}).elements == 0);
  CHECK(compared(contiguous_operand(&value, {}), Constant{{2, 0}}).elements == 1);
  CHECK(compared(contiguous_operand(&value, {}), Constant{{3, 0}}).violations == 1);
}

TEST_CASE("short rows are compared together and found one by one") {
  constexpr Index rows = 640, columns = 7;
  std::vector<float> memory(rows * columns);
  const Operand operand = contiguous_operand(memory.data(), {rows / 5, 5, columns});
  for (Index e = 0; e < rows * columns; ++e) operand.store(e, Ramp{}(e / columns, e % columns).value);
  const Ramp expected{0x1p-10};
  operand.store(300 * columns + 2, Ramp{}(300, 2).value + 0x1p-12);
  const Comparison passing = compared(operand, expected);
  CHECK((passing.violations == 0 && passing.rows == rows && passing.columns == columns));
  CHECK((passing.max_absolute_error.position.row == 300 && passing.max_absolute_error.position.column == 2));
  operand.store(411 * columns + 6, 1000);
  operand.store(24 * columns, 500);
  const Comparison found = compared(operand, expected);
  CHECK(found.rows == rows);
  CHECK(found.columns == columns);
  CHECK(found.elements == rows * columns);
  CHECK(found.violations == 2);
  REQUIRE(found.worst.size() == 2);
  CHECK(found.worst[0].position.row == 411);
  CHECK(found.worst[0].position.column == 6);
  CHECK(found.worst[1].position.row == 24);
  CHECK(found.worst[1].position.column == 0);
  CHECK(found.max_absolute_error.position.row == 411);
  CHECK(found.tiles.title.find("joined") == std::string::npos);  // a pattern shows in rows as they are
  std::size_t failing = 0;
  for (std::size_t group = 0; group < found.row_ratio.size(); ++group) {
    const Index first = static_cast<Index>(group) * found.rows_per_group;
    const bool holds =
        (first <= 411 && 411 < first + found.rows_per_group) || (first <= 24 && 24 < first + found.rows_per_group);
    CHECK((found.row_ratio[group] > 1) == holds);
    failing += found.row_ratio[group] > 1 ? 1 : 0;
  }
  CHECK(failing == 2);
}

namespace {
/// 0, with an E that is 16 times too large until it is refined.
struct LooseZero {
  bool all = true;
  ExpectedElement operator()(Index, Index) const { return {0, 16}; }
  ExpectedElement refine(Index, Index) const { return {0, 1}; }
  static double doubt_ratio() { return 0x1p-4; }
  std::uint64_t most_refinements() const { return all ? ~std::uint64_t{0} : most_refinements_per_chunk; }
};
}  // namespace

TEST_CASE("what a loose bound leaves in doubt is decided, in every format and however much there is") {
  constexpr Index rows = 8, columns = 3000, wrong = 2000;
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>(), element_format<float16>(),
                                      element_format<float64>(), element_format<float8_e5m2>()}) {
    INFO(format.name);
    std::vector<double> memory(rows * columns);
    Operand operand;
    operand.data = memory.data();
    operand.format = format;
    operand.rank = 2;
    operand.extents[0] = rows, operand.extents[1] = columns;
    operand.strides[0] = columns, operand.strides[1] = 1;
    for (Index e = 0; e < operand.size(); ++e) operand.store(e, e % columns < wrong ? 4 : 0.5);
    const Comparison decided = compared(operand, LooseZero{});
    CHECK(decided.violations == rows * wrong);
    CHECK(decided.in_doubt == 0);
    const Comparison limited = compared(operand, LooseZero{false});
    CHECK(limited.violations < rows * wrong);
    CHECK(limited.in_doubt > 0);
  }
}
