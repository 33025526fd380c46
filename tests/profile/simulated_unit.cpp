#include "assay/profile/simulated_unit.hpp"

#include <cmath>

#include "assay/faults/summation_order.hpp"
#include "assay/tensor/fill.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// Numbers over many binades, some of them close to canceling.
template <Format T>
std::vector<T> numbers(std::uint64_t seed, Index count) {
  std::vector<T> values;
  for (Index i = 0; i < count; ++i)
    values.push_back(encode<T>(Fill{i % 3 == 0 ? FillKind::log_uniform : FillKind::normal, seed, 1}(0, i)));
  return values;
}

template <Format T>
std::vector<std::uint64_t> codes(const std::vector<T>& values) {
  std::vector<std::uint64_t> all;
  for (const T value : values) all.push_back(FormatTraits<T>::to_bits(value));
  return all;
}

/// How many of 500 random sums differ from those of `expected(a, b)`.
template <Format In, Format Out, class Expected>
int differing(MatrixUnitModel model, Index terms, Expected expected) {
  model.a = model.b = element_format<In>();
  model.c = element_format<Out>();
  SimulatedUnit unit(model);
  int found = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto a = numbers<In>(2 * seed, terms), b = numbers<In>(2 * seed + 1, terms);
    found += unit.dot(codes(a), codes(b)) == FormatTraits<Out>::to_bits(expected(a, b)) ? 0 : 1;
  }
  return found;
}

template <class T>
T by_fma(const std::vector<T>& a, const std::vector<T>& b) {
  T sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum = std::fma(a[k], b[k], sum);
  return sum;
}

template <class T>
T by_products(const std::vector<T>& a, const std::vector<T>& b) {
  T sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const volatile T product = a[k] * b[k];
    sum = sum + product;
  }
  return sum;
}

}  // namespace

TEST_CASE("A simulated unit is this processor's arithmetic, bit for bit, where the model says so") {
  MatrixUnitModel model;
  model.products = UnitProducts::fused;
  CHECK(differing<float, float>(model, 40, by_fma<float>) == 0);
  model.products = UnitProducts::rounded;
  CHECK(differing<float, float>(model, 40, by_products<float>) == 0);
  CHECK(differing<float, float>(model, 40, by_fma<float>) > 200);
  model.accumulator = FormatTraits<double>::layout;
  CHECK(differing<double, double>(model, 40, by_products<double>) == 0);
  model.products = UnitProducts::fused;
  CHECK(differing<double, double>(model, 40, by_fma<double>) == 0);
}

TEST_CASE("A simulated unit of truncating blocks adds as the emulated matrix unit does") {
  MatrixUnitModel model;
  model.aligned_bits = detail::matrix_unit_bits - 1;
  model.order.fused = detail::matrix_unit_block;
  model.sum_rounding = UnitRounding::toward_zero;
  const auto emulated = [](const auto& a, const auto& b) {
    const auto products = [&](Index k) {
      return std::pair{decode(a[static_cast<std::size_t>(k)]), decode(b[static_cast<std::size_t>(k)])};
    };
    return static_cast<float>(
        sum_in_order<float32>(SummationOrder::truncating_blocks, products, static_cast<Index>(a.size())));
  };
  CHECK(differing<bfloat16, float>(model, 100, emulated) == 0);
  model.aligned_bits = detail::matrix_unit_bits;
  CHECK(differing<bfloat16, float>(model, 100, emulated) > 50);
}

TEST_CASE("Every rule of a model shows in the bits") {
  const MatrixUnitModel plain = [] {
    MatrixUnitModel model;
    model.a = model.b = element_format<float16>();
    model.order.fused = 4;
    model.aligned_bits = 24;
    model.sum_rounding = UnitRounding::toward_zero;
    return model;
  }();
  const auto sum = [](const MatrixUnitModel& model, std::vector<double> a, std::vector<double> b) {
    std::vector<std::uint64_t> left, right;
    for (const double value : a) left.push_back(model.a.encode(value));
    for (const double value : b) right.push_back(model.b.encode(value));
    return model.c.decode(SimulatedUnit(model).dot(left, right));
  };
  const auto with = [&](auto change) {
    MatrixUnitModel model = plain;
    change(model);
    return model;
  };
  const double inf = HUGE_VAL;
  CHECK(sum(plain, {1, 1, -1}, {1, 0x1p-14, 1}) == 0x1p-14);
  CHECK(sum(plain, {1024, 0x1p-10, -1024}, {1, 0x1p-4, 1}) == 0x1p-14);  // 24 bits below
  CHECK(sum(plain, {2048, 0x1p-10, -2048}, {1, 0x1p-4, 1}) == 0);
  CHECK(sum(with([](auto& m) { m.alignment = UnitRounding::toward_negative; }), {2048, -0x1p-10, -2048},
            {1, 0x1p-4, 1}) == -0x1p-13);
  CHECK(sum(plain, {48, 0x1p-10, -48}, {48, 0x1p-4, 48}) == 0);  // 1.5·1.5·2^10, a little above 2^11
  CHECK(sum(with([](auto& m) { m.aligned_by_factors = true; }), {48, 0x1p-10, -48}, {48, 0x1p-4, 48}) ==
        0x1p-14);  // but 2^10 by its factors
  CHECK(sum(with([](auto& m) { m.aligned_bits = 9; }), {48, 0x1p-10, -48}, {24, 1, 24}) == 0);
  CHECK(sum(with([](auto& m) { m.input_precision = 4; }), {1 + 0x1p-4}, {1}) == 1);
  CHECK(sum(with([](auto& m) { m.input_precision = 4, m.input_rounding = UnitRounding::toward_positive; }),
            {1 + 0x1p-4}, {1}) == 1.125);
  CHECK(sum(with([](auto& m) { m.input_subnormals = UnitSubnormals::flushed; }), {0x1p-15}, {1}) == 0);
  CHECK(sum(plain, {0x1p-15}, {1}) == 0x1p-15);
  CHECK(sum(with([](auto& m) { m.c = element_format<float16>(), m.output_subnormals = UnitSubnormals::flushed; }),
            {0x1p-15}, {1}) == 0);
  CHECK(sum(with([](auto& m) {
              m.accumulator = FormatTraits<float16>::layout, m.sum_subnormals = UnitSubnormals::flushed;
            }),
            {0x1p-10}, {0x1p-5}) == 0);
  CHECK(sum(with([](auto& m) { m.accumulator = FormatTraits<float16>::layout; }), {32768, 32768}, {1, 1}) == inf);
  CHECK(sum(with([](auto& m) {
              m.accumulator = FormatTraits<float16>::layout, m.sum_overflow = UnitOverflow::saturates;
            }),
            {32768, 32768}, {1, 1}) == 65504);
  CHECK(sum(with([](auto& m) { m.c = element_format<float16>(); }), {32768, -32768}, {2, 4}) == -inf);
  CHECK(sum(with([](auto& m) { m.c = element_format<float16>(), m.output_overflow = UnitOverflow::saturates; }),
            {32768, -32768}, {2, 4}) == -65504);
  CHECK(sum(with([](auto& m) { m.c = element_format<float16>(), m.output_rounding = UnitRounding::toward_zero; }),
            {1, 0x1p-10, 0x1p-10}, {1, 1, 0.75}) == 1 + 0x1p-10);
  CHECK(std::signbit(sum(with([](auto& m) { m.starts_from_zero = false; }), {-0.0, -0.0}, {1, 1})));
  CHECK(!std::signbit(sum(plain, {-0.0, -0.0}, {1, 1})));
  CHECK(std::isnan(sum(plain, {inf, -inf}, {1, 1})));
  CHECK(std::isnan(sum(plain, {inf}, {0})));
  CHECK(std::isnan(sum(plain, {1, NAN}, {1, 1})));
  CHECK(sum(plain, {inf, 1}, {1, 1}) == inf);
}

TEST_CASE("Stochastic rounding draws anew, and from its seed") {
  MatrixUnitModel model;
  model.sum_rounding = UnitRounding::stochastic;
  const std::vector<std::uint64_t> a{model.a.encode(1), model.a.encode(0x1p-24)},
      b{model.b.encode(1), model.b.encode(1)};
  SimulatedUnit unit(model, 7), twin(model, 7);
  int up = 0;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t code = unit.dot(a, b);
    CHECK(code == twin.dot(a, b));
    up += model.c.decode(code) > 1 ? 1 : 0;
  }
  CHECK(up > 20);
  CHECK(up < 80);
}

TEST_CASE("A simulated unit refuses what it cannot do") {
  CHECK_THROWS_WITH(SimulatedUnit({}).dot({0, 0}, {0}),
                    "a simulated unit was given a row of 2 and a column of 1 elements; both must be as long");
  using Op = Gemm<float, float, float, float>;
  const auto refused = simulated_gemm_subject<Op>({}).run(GemmProblem{.m = 1, .n = 1, .k = 1, .alpha = 2}, {});
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::unsupported);
}

TEST_CASE("A simulated unit adds a thousand products exactly at once") {
  MatrixUnitModel model;
  model.order.fused = 1024;
  SimulatedUnit unit(model);
  const std::vector<std::uint64_t> factors(1024, model.a.encode(1.5));
  CHECK(model.c.decode(unit.dot(factors, factors)) == 2304);
}
