#include "assay/kernels/elementwise/elementwise.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "assay/faults/elementwise_faults.hpp"
#include "kernels/near_references.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

// Of each function the kernels reach at least 0.74 of what is allowed with elementary functions that err by 7 of the 8
// u granted.
TEST_CASE("right elementwise kernels are not accused") {
  testing::require_correct_kernels_pass<Elementwise>(0.7, 100);
}

TEST_CASE("every fault of an elementwise kernel is caught by its default suite") {
  testing::require_faults_are_caught<Elementwise>();
}

TEST_CASE("elementwise references are the functions' values") {
  ElementwiseProblem problem;
  const auto value = [&](ElementwiseFunction function, double x, double y = 0, double z = 0) {
    problem.function = function;
    return ElementwiseFormula(problem, Arithmetic{})(x, y, z).value;
  };
  using enum ElementwiseFunction;
  CHECK(value(relu, -2) == 0);
  CHECK(value(gelu, 1) == Approx(0.8413447460685429).epsilon(1e-14));
  CHECK(value(gelu, -6) == Approx(-5.919526e-9).epsilon(1e-6));
  CHECK(value(gelu_tanh, 1) == Approx(0.8411919906082768).epsilon(1e-14));
  CHECK(value(silu, 1) == Approx(0.7310585786300049).epsilon(1e-14));
  CHECK(value(sigmoid, -2) == Approx(0.11920292202211755).epsilon(1e-14));
  CHECK(value(softplus, -30) == Approx(9.357622968839299e-14).epsilon(1e-13));
  CHECK(value(softplus, 3) == Approx(3.0485873515737421).epsilon(1e-14));
  CHECK(value(rsqrt, 4) == 0.5);
  CHECK(value(sin, 1e22) == Approx(-0.8522008497671888).epsilon(1e-12));
  CHECK(value(multiply_add, 2, 3, 4) == 10);
  CHECK(value(maximum, 1, 2) == 2);
  CHECK(value(minimum, 1, 2) == 1);
  CHECK(is_nan(value(maximum, 1, std::nan(""))));
  problem.nan_policy = NanPolicy::number;
  CHECK(value(maximum, 1, std::nan("")) == 1);
  problem.a = 2;
  problem.b = 1;
  CHECK(value(scale_shift, 3) == 7);
}

TEST_CASE("functions of positive numbers have many of them in all binades of their everyday data") {
  ElementwiseProblem problem;
  problem.extents[0] = 1000;
  for (const ElementwiseFunction function :
       {ElementwiseFunction::log, ElementwiseFunction::sqrt, ElementwiseFunction::rsqrt}) {
    problem.function = function;
    const OperandFill fill = Elementwise::data(problem, FillKind::log_uniform, Arithmetic{}, 1).operands[0];
    REQUIRE(fill.given);
    std::set<double> different(fill.given->begin(), fill.given->end());
    CHECK(*different.begin() > 0);
    CHECK(different.size() == 1000);
    CHECK(*different.rbegin() > 1000 * *different.begin());
  }
}

TEST_CASE("nothing is known of casts of 64-bit integers that doubles do not hold") {
  ElementwiseProblem problem;
  problem.function = ElementwiseFunction::cast;
  problem.input = element_format<std::int64_t>();
  for (const ElementFormat& output : {element_format<float32>(), element_format<std::int64_t>()}) {
    problem.output = output;
    const ElementwiseFormula formula(problem, Arithmetic{});
    CHECK_FALSE((problem.output.is_float() && formula.error_free()));
    CHECK(formula(0x1p53, 0, 0).error == 0);
    CHECK(is_infinite(formula(0x1p60, 0, 0).error));
  }
  problem.input = element_format<float32>();
  CHECK(is_infinite(ElementwiseFormula(problem, Arithmetic{})(0x1p60, 0, 0).error));
  CHECK(ElementwiseFormula(problem, Arithmetic{})(-7.5, 0, 0).value == -8);
}

namespace {
ElementwiseFormula formula_of(ElementwiseFunction function, bool backward = false) {
  ElementwiseProblem problem;
  problem.function = function;
  problem.backward = backward;
  return ElementwiseFormula(problem, Arithmetic{});
}
bool accepts(const ExpectedElement& element, float got) {
  return std::fabs(static_cast<double>(got) - element.value) <= element.error + 0x1p-24 * std::fabs(element.value);
}
}  // namespace

TEST_CASE("exponentials by powers of two are not accused") {
  const ElementwiseFormula exp = formula_of(ElementwiseFunction::exp);
  for (float x = -87; x < 88; x += 0.0078125F * 0.7F) {
    const float y = std::exp2(x * 1.44269504F);
    if (y < std::numeric_limits<float>::min()) continue;
    INFO(x);
    REQUIRE(accepts(exp(static_cast<double>(x), 0, 0), y));
  }
  CHECK(accepts(exp(static_cast<double>(44.3838081F), 0, 0), std::exp2(44.3838081F * 1.44269504F)));
  CHECK(accepts(exp(static_cast<double>(-44.3646698F), 0, 0), std::exp2(-44.3646698F * 1.44269504F)));
}

TEST_CASE("logistic functions have their values down to the smallest double") {
  Arithmetic in_double;
  in_double.accumulation = accumulation_in<float64>();
  ElementwiseProblem problem;
  problem.input = problem.second = problem.output = element_format<float64>();
  for (const double x : {-708.0, -712.0, -720.0, -740.0}) {
    const double power = std::exp(x);
    problem.function = ElementwiseFunction::sigmoid;
    CHECK(ElementwiseFormula(problem, in_double)(x, 0, 0).value == Approx(power).epsilon(1e-12));
    problem.function = ElementwiseFunction::silu;
    CHECK(ElementwiseFormula(problem, in_double)(x, 0, 0).value == Approx(x * power).epsilon(1e-12));
    problem.backward = true;
    problem.function = ElementwiseFunction::sigmoid;
    CHECK(ElementwiseFormula(problem, in_double)(x, 1, 0).value == Approx(power).epsilon(1e-12));
    problem.backward = false;
  }
}

TEST_CASE("gradients of activations may be multiplied factor by factor, and softplus be the identity above 20") {
  const ElementwiseFormula silu = formula_of(ElementwiseFunction::silu, true);
  for (int i = 0; i < 4000; ++i) {
    const float x = -30 + static_cast<float>(i) * 0.0071F,
                dy = std::ldexp(1.0F + static_cast<float>(i % 97) * 0.01F, -121 - i % 7);
    const float s = 1 / (1 + std::exp(-x));
    INFO(x << ", " << dy);
    REQUIRE(accepts(silu(static_cast<double>(x), static_cast<double>(dy), 0), dy * s * (1 + x * (1 - s))));
  }
  ElementwiseProblem problem;
  problem.function = ElementwiseFunction::softplus;
  problem.backward = true;
  problem.input = problem.second = problem.output = element_format<float64>();
  Arithmetic in_double;
  in_double.accumulation = accumulation_in<float64>();
  const ExpectedElement above = ElementwiseFormula(problem, in_double)(25, 1, 0);
  CHECK(std::fabs(1 - above.value) <= above.error);
  CHECK(above.error < 2e-11);
  CHECK(is_infinite(formula_of(ElementwiseFunction::softplus, true)(12, 2.4e34, 0).error));
  CHECK(is_finite(formula_of(ElementwiseFunction::softplus, true)(12, 2e33, 0).error));
}

TEST_CASE("what one rounding decides is asked for exactly") {
  ElementwiseProblem problem;
  problem.function = ElementwiseFunction::add;
  CHECK(ElementwiseFormula(problem, Arithmetic{})(0.1F, 0.2F, 0).error == 0);
  problem.output = element_format<bfloat16>();
  CHECK(ElementwiseFormula(problem, Arithmetic{})(0.1F, 0.2F, 0).error > 0);
}

TEST_CASE("operands of an elementwise operation are repeated along the dimensions that are named") {
  ElementwiseProblem problem;
  problem.function = ElementwiseFunction::subtract;
  problem.rank = 2;
  problem.extents[0] = 2;
  problem.extents[1] = 3;
  problem.broadcast[1] = 1;
  Host host(1);
  auto stream = host.make_stream();
  float x[] = {1, 2, 3, 4, 5, 6}, y[] = {10, 20, 30};
  OperandArray operands;
  operands[Elementwise::x] = contiguous_operand(x, {2, 3});
  operands[Elementwise::y] = contiguous_operand(y, {1, 3});
  const auto reference =
      Elementwise::reference(host, stream.value(), problem, operands, RoundingModel::exact, Arithmetic{});
  REQUIRE(reference);
  CHECK(reference.value().expected(1, 0).value == 4 - 10);
  CHECK(reference.value().expected(1, 2).value == 6 - 30);
}

TEST_CASE("gradients of activations are the slopes of their references") {
  for (const ElementwiseFunction function : all_elementwise_functions) {
    if (!has_gradient(function)) continue;
    ElementwiseProblem problem;
    problem.function = function;
    const ElementwiseFormula forward(problem, Arithmetic{});
    problem.backward = true;
    const ElementwiseFormula backward(problem, Arithmetic{});
    for (const double x : {-7.3, -2.1, -0.6, -0.01, 0.02, 0.4, 1.3, 5.0, 12.0}) {
      const double h = 1e-5, slope = (forward(x + h, 0, 0).value - forward(x - h, 0, 0).value) / (2 * h);
      const ExpectedElement element = backward(x, 1.5, 0);
      INFO(name_of(function) << " at " << x);
      CHECK(element.value == Approx(1.5 * slope).epsilon(1e-6).margin(1e-9));
      CHECK(element.error < 1e-3);
    }
  }
}

TEST_CASE("casts ask for the one number that their rounding and saturation give") {
  ElementwiseProblem problem;
  problem.function = ElementwiseFunction::cast;
  problem.output = element_format<float8_e4m3fn>();
  const auto cast = [&](double x) { return ElementwiseFormula(problem, Arithmetic{})(x, 0, 0); };
  CHECK(is_nan(cast(500).value));
  CHECK(cast(1.0625).value == 1);
  problem.saturating = true;
  CHECK(cast(500).value == 448);
  CHECK(cast(-std::numeric_limits<double>::infinity()).value == -448);
  problem.output = element_format<std::int8_t>();
  CHECK(cast(2.5).value == 2);
  CHECK(cast(1000).value == 127);
  problem.rounding = Rounding::toward_zero;
  CHECK(cast(-2.9).value == -2);
  CHECK(is_infinite(cast(std::nan("")).error));
}

TEST_CASE("elementwise problems that cannot be are refused") {
  ElementwiseProblem problem;
  SECTION("rank") {
    problem.rank = 5;
    testing::require_refused<Elementwise>(problem, "rank");
  }
  SECTION("extent") {
    problem.extents[0] = -1;
    testing::require_refused<Elementwise>(problem, "extents[0]");
  }
  SECTION("backward") {
    problem.function = ElementwiseFunction::add;
    problem.backward = true;
    testing::require_refused<Elementwise>(problem, "backward");
  }
  SECTION("broadcast beyond the rank") {
    problem.broadcast[0] = 2;
    testing::require_refused<Elementwise>(problem, "broadcast[0]");
  }
  SECTION("broadcast of an operand that is not read") {
    problem.broadcast[1] = 1;
    testing::require_refused<Elementwise>(problem, "broadcast[1]");
  }
  SECTION("broadcast of all operands") {
    problem.broadcast[0] = 1;
    testing::require_refused<Elementwise>(problem, "every operand");
  }
  SECTION("rounding") {
    problem.rounding = Rounding::toward_zero;
    testing::require_refused<Elementwise>(problem, "rounding");
  }
  SECTION("format") {
    problem.output = element_format<std::int8_t>();
    testing::require_refused<Elementwise>(problem, "output");
  }
  SECTION("constants") {
    problem.a = std::numeric_limits<double>::infinity();
    testing::require_refused<Elementwise>(problem, "a and b");
  }
}

TEST_CASE("vectors of references say what the references of single elements say") {
  constexpr Index count = 37;
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const ElementwiseFunction function : all_elementwise_functions) {
    if (function == ElementwiseFunction::cast || operands_of(function) > 2) continue;
    enum class Operands { near, far, special };  // far: gelu_tanh doubles one of them beyond the largest number
    for (const Operands kind : {Operands::near, Operands::far, Operands::special}) {
      std::vector<float> x(count), y(count);
      for (Index i = 0; i < count; ++i) {
        x[static_cast<std::size_t>(i)] =
            static_cast<float>(std::sinh((kind == Operands::near ? 0.25 : 0.5) * static_cast<double>(i - 18)));
        y[static_cast<std::size_t>(i)] = static_cast<float>(i) * -0.3F + 1;
      }
      if (kind != Operands::near) x[3] = 3e38F;
      x[5] = kind == Operands::near ? -87.5F : -88.5F;
      x[6] = 1e-40F;
      x[7] = 0;
      if (kind == Operands::special) x[8] = infinity, x[20] = nan, y[30] = -infinity;
      for (const ElementFormat& output : {element_format<float32>(), element_format<bfloat16>()}) {
        ElementwiseProblem problem;
        problem.function = function;
        problem.extents[0] = count;
        problem.output = output;
        ElementwiseExpected expected;
        expected.formula = ElementwiseFormula(problem, Arithmetic{});
        float* const data[2] = {x.data(), y.data()};
        for (int i = 0; i < problem.inputs(); ++i) {
          expected.inputs[i] = contiguous_operand(data[i], {count});
          expected.offsets[i] = BroadcastOffset(expected.inputs[i]);
        }
        double value[count], error[count];
        expected.expected_block(0, 1, count - 1, value, error);
        for (Index i = 1; i < count; ++i) {
          const ExpectedElement element = expected(0, i);
          INFO(name_of(function) << " of " << x[static_cast<std::size_t>(i)] << ": " << value[i - 1] << " ± "
                                 << error[i - 1] << " beside " << element.value << " ± " << element.error);
          if (is_nan(element.value)) {
            CHECK(is_nan(value[i - 1]));
            continue;
          }
          CHECK((value[i - 1] == element.value ||
                 std::fabs(value[i - 1] - element.value) <= 1e-14 * std::fabs(element.value) + 1e-60));
          CHECK((error[i - 1] == element.error || std::fabs(error[i - 1] - element.error) <= 1e-9 * element.error));
        }
      }
    }
  }
}

namespace {

template <class T>
ElementwiseProblem matrix_problem(Index rows, Index columns) {
  ElementwiseProblem problem;
  problem.rank = 2;
  problem.extents[0] = rows;
  problem.extents[1] = columns;
  problem.input = problem.output = element_format<T>();
  return problem;
}

}  // namespace

TEMPLATE_TEST_CASE("sums and products of short numbers are told as singles where they are singles", "", bfloat16,
                   float16) {
  constexpr Index rows = 3, columns = 1003;
  std::vector<TestType> x, y;
  for (Index i = 0; i < rows * columns; ++i) {
    const double wave = std::sin(0.7 * static_cast<double>(i * i));
    const double of_row[] = {4 * wave, wave * std::ldexp(1, static_cast<int>(i % 14) - 7), 60000 * wave};
    x.push_back(encode<TestType>(of_row[i / columns]));
    y.push_back(i % 5 == 0 ? encode<TestType>(-decode(x.back())) : encode<TestType>(of_row[(i * 7) % 3]));
  }
  y[3] = encode<TestType>(0x1p-14);  // lost beside the large numbers of its row
  x[3] = encode<TestType>(60000.0);
  ElementwiseProblem problem = matrix_problem<TestType>(rows, columns);
  OperandArray operands;
  operands[0] = contiguous_operand(x.data(), {rows, columns});
  operands[1] = contiguous_operand(y.data(), {rows, columns});
  Host host(1);
  auto stream = host.make_stream();
  for (const auto function : {ElementwiseFunction::add, ElementwiseFunction::subtract, ElementwiseFunction::multiply})
    for (const auto& arithmetic : {Arithmetic{}, arithmetic_in<TestType>()}) {
      problem.function = function;
      const auto reference =
          Elementwise::reference(host, stream.value(), problem, operands, RoundingModel::statistical, arithmetic);
      REQUIRE(reference);
      const auto found = testing::near_references(reference.value().expected, rows, columns);
      INFO(static_cast<int>(function));
      if (arithmetic.unit_roundoff() == 0x1p-24) CHECK(found.refused == 0);
      if (function == ElementwiseFunction::multiply) {
        CHECK(found.unknown == 0);
        if (!std::is_same_v<TestType, bfloat16>) continue;
        // a product that is 0 as a single, and is not
        const TestType kept[] = {std::exchange(x[600], encode<TestType>(0x1p-80)),
                                 std::exchange(y[600], encode<TestType>(-0x1p-80))};
        CHECK(testing::near_references(reference.value().expected, rows, columns).unknown == (found.told > 0 ? 2 : 0));
        x[600] = kept[0];
        y[600] = kept[1];
      } else if (found.told > 0)
        CHECK(found.unknown > 0);
    }
  // an operand that is repeated lies otherwise
  operands[1] = contiguous_operand(y.data(), {1, columns});
  problem.function = ElementwiseFunction::add;
  const auto repeated =
      Elementwise::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
  REQUIRE(repeated);
  CHECK(testing::near_references(repeated.value().expected, rows, columns).told > 0);
  operands[1] = contiguous_operand(y.data(), {rows, 1});
  const auto one_a_row =
      Elementwise::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
  REQUIRE(one_a_row);
  CHECK(testing::near_references(one_a_row.value().expected, rows, columns).told == 0);
}

TEST_CASE("chances of misrounding are those of the references, whatever comes beside approximations of them") {
  constexpr Index rows = 200, columns = 512;
  std::vector<float16> x, y;
  std::vector<bfloat16> output;
  Host host(1);
  auto stream = host.make_stream();
  ElementwiseProblem problem = matrix_problem<float16>(rows, columns);
  problem.output = element_format<bfloat16>();
  problem.function = ElementwiseFunction::add;
  for (const bool zeros : {false, true}) {
    x.clear();
    y.clear();
    output.clear();
    for (Index i = 0; i < rows * columns; ++i) {
      x.push_back(encode<float16>(zeros ? 1 + static_cast<double>(i % 100) * 0x1p-10 : 1));
      y.push_back(encode<float16>(zeros && i % 64 != 0 ? -decode(x.back()) : 0x1p-9));
      output.push_back(encode<bfloat16>(!zeros && i % 100 == 50 ? 0 : decode(x.back()) + decode(y.back())));
    }
    OperandArray operands;
    operands[0] = contiguous_operand(x.data(), {rows, columns});
    operands[1] = contiguous_operand(y.data(), {rows, columns});
    const auto reference =
        Elementwise::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    INFO("zeros " << zeros);
    CHECK(testing::expected_misroundings(reference.value().expected, output, rows, columns) > 0.001);
  }
}

TEST_CASE("logistic functions in pairs are as near as they say") {
  constexpr Index rows = 5, columns = 1003;
  std::vector<float> x;
  for (Index i = 0; i < rows * columns; ++i) {
    const double wave = std::sin(0.7 * static_cast<double>(i * i)),
                 of_row[] = {4 * wave, 8.9 * wave, 79 * wave, std::ldexp(wave, static_cast<int>(i % 60) - 60),
                             i % 2 == 0 ? 0.0 : -0.0};
    x.push_back(static_cast<float>(of_row[i / columns]));
  }
  ElementwiseProblem problem = matrix_problem<float32>(rows, columns);
  OperandArray operands;
  operands[0] = contiguous_operand(x.data(), {rows, columns});
  Host host(1);
  auto stream = host.make_stream();
  const bool tells_pairs = detail::has_pair_exponential && instruction_set() != InstructionSet::baseline;
  const auto pairs = [&](const Arithmetic& arithmetic) {
    const auto reference =
        Elementwise::reference(host, stream.value(), problem, operands, RoundingModel::statistical, arithmetic);
    REQUIRE(reference);
    return testing::paired_references(reference.value().expected, rows, columns);
  };
  for (const auto function :
       {ElementwiseFunction::sigmoid, ElementwiseFunction::silu, ElementwiseFunction::gelu_tanh}) {
    problem.function = function;
    INFO(name_of(function));
    const auto found = pairs(Arithmetic{});
    if (!tells_pairs) {
      CHECK(found.told == 0);
      continue;
    }
    CHECK(found.refused == (function == ElementwiseFunction::gelu_tanh ? 5 : 0));  // of numbers beyond 9
    CHECK(found.unknown == 0);
    CHECK(found.worst > 0.05);
    pairs(arithmetic_in<bfloat16>());
    CHECK(pairs(arithmetic_in<float16>()).told == 0);
    for (const float odd : {81.0F, -INFINITY, NAN, 0x1p-149F, -0x1p-127F}) {
      const float kept = std::exchange(x[3], odd);
      const bool within = function == ElementwiseFunction::sigmoid && std::fabs(odd) < 1;
      CHECK(pairs(Arithmetic{}).refused == found.refused + (within ? 0 : 2));  // blocks from 0 and from 1
      x[3] = kept;
    }
  }
  problem.function = ElementwiseFunction::tanh;
  CHECK(pairs(Arithmetic{}).told == 0);
}

TEST_CASE("logistic functions of singles are judged beside pairs as beside their references") {
  constexpr Index rows = 40, columns = 3001;
  std::vector<float> x(rows * columns), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = i % 50 == 7 ? 0 : static_cast<float>(6 * std::sin(0.7 * static_cast<double>(i * i)));
  ElementwiseProblem problem = matrix_problem<float32>(rows, columns);
  OperandArray operands;
  operands[0] = contiguous_operand(x.data(), {rows, columns});
  Host host(1);
  auto stream = host.make_stream();
  for (const auto function :
       {ElementwiseFunction::sigmoid, ElementwiseFunction::silu, ElementwiseFunction::gelu_tanh}) {
    problem.function = function;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float z = x[i],
                  t = function == ElementwiseFunction::gelu_tanh ? 1.5957691F * (z + 0.044715F * z * z * z) : z,
                  s = 1 / (1 + std::exp(-t));
      y[i] = function == ElementwiseFunction::sigmoid ? s : z * s;
    }
    const auto reference =
        Elementwise::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    INFO(name_of(function));
    testing::judge_beside_pairs(reference.value().expected, y, rows, columns);
  }
}

TEST_CASE("vectors of references meet the overflow of an exponential where single elements do") {
  constexpr Index count = 16;
  for (const Arithmetic& arithmetic : {arithmetic_in<float32>(), arithmetic_in<bfloat16>(), arithmetic_in<float16>()})
    for (const ElementwiseFunction function :
         {ElementwiseFunction::silu, ElementwiseFunction::sigmoid, ElementwiseFunction::gelu_tanh}) {
      ElementwiseProblem problem;
      problem.function = function;
      problem.extents[0] = count;
      problem.output =
          arithmetic.accumulation.max_finite < 1e5 ? element_format<float16>() : element_format<bfloat16>();
      const double overflow = std::log(arithmetic.accumulation.max_finite);
      for (const double size : {1e-30, 0.5, 7.0, 36.7, 0.9 * overflow, 0.999 * overflow, 1.001 * overflow,
                                1.1 * overflow, 709.0, 3e4, 3e38})
        for (const double sign : {-1.0, 1.0}) {
          std::vector<float> x(count, static_cast<float>(sign * size));  // no other element decides how it is computed
          ElementwiseExpected expected;
          expected.formula = ElementwiseFormula(problem, arithmetic);
          expected.inputs[0] = contiguous_operand(x.data(), {count});
          expected.offsets[0] = BroadcastOffset(expected.inputs[0]);
          double value[count], error[count];
          expected.expected_block(0, 0, count, value, error);
          const ExpectedElement element = expected(0, 0);
          INFO(name_of(function) << " of " << x[0] << ": " << value[0] << " ± " << error[0] << " beside "
                                 << element.value << " ± " << element.error);
          CHECK((value[0] == element.value ||
                 std::fabs(value[0] - element.value) <= 1e-13 * std::fabs(element.value) + 1e-60));
          CHECK((error[0] == element.error || std::fabs(error[0] - element.error) <= 1e-9 * element.error));
        }
    }
}

TEMPLATE_TEST_CASE("a block of references is as long as may be asked for, and refused if longer", "", bfloat16, float16,
                   float32) {
  constexpr Index count = expected_block_columns;
  std::vector<TestType> x, y;
  for (Index i = 0; i <= count; ++i) {
    x.push_back(encode<TestType>(static_cast<double>(i % 128)));
    y.push_back(encode<TestType>(0.5));
  }
  ElementwiseProblem problem;
  problem.function = ElementwiseFunction::add;
  problem.extents[0] = count + 1;
  problem.input = element_format<TestType>();
  ElementwiseExpected expected;
  expected.formula = ElementwiseFormula(problem, Arithmetic{});
  for (int i = 0; i < 2; ++i) {
    expected.inputs[i] = contiguous_operand(i == 0 ? x.data() : y.data(), {count + 1});
    expected.offsets[i] = BroadcastOffset(expected.inputs[i]);
  }
  std::vector<double> value(static_cast<std::size_t>(count + 1)), error(value.size());
  expected.expected_block(0, 0, count, value.data(), error.data());
  for (Index i = 0; i < count; ++i) REQUIRE(value[static_cast<std::size_t>(i)] == static_cast<double>(i % 128) + 0.5);
  CHECK_THROWS_AS(expected.expected_block(0, 0, count + 1, value.data(), error.data()), Misuse);
}

TEST_CASE("references of all codes of an operand are those of its elements") {
  constexpr Index columns = 256, rows = 256;
  std::vector<bfloat16> codes(static_cast<std::size_t>(rows * columns));
  for (std::size_t code = 0; code < codes.size(); ++code)
    codes[code] = std::bit_cast<bfloat16>(static_cast<std::uint16_t>(code));
  static_assert(CodeExpectation<ElementwiseExpected>);
  ElementwiseProblem problem = matrix_problem<bfloat16>(rows, columns);
  const Operand all = contiguous_operand(codes.data(), {rows, columns});
  for (const ElementwiseFunction function : {ElementwiseFunction::relu, ElementwiseFunction::gelu_tanh,
                                             ElementwiseFunction::erf, ElementwiseFunction::cast}) {
    problem.function = function;
    ElementwiseExpected expected;
    expected.formula = ElementwiseFormula(problem, Arithmetic{});
    expected.inputs[0] = all;
    expected.offsets[0] = BroadcastOffset(all);
    REQUIRE(expected.code_bytes() == 2);
    CHECK(expected.codes(3, 7) == &codes[3 * 256 + 7]);
    double value[columns], error[columns];
    for (Index row = 0; row < rows; ++row) {
      expected.expected_of_codes(row * columns, columns, value, error);
      for (Index i = 0; i < columns; i += 5) {
        const ExpectedElement element = expected(row, i);
        // Of gelu_tanh, x·e^(2z) in effect where it is small, each way may be off by 6u|z| in z (formula.hpp).
        const double size = std::fabs(element.value),
                     exponent = function == ElementwiseFunction::gelu_tanh && size > 0 ? std::fabs(std::log(size)) : 0,
                     most = (1e-14 + 2 * 6 * 0x1p-53 * exponent) * size + 1e-60;
        const bool same = is_nan(element.value)
                              ? is_nan(value[i])
                              : value[i] == element.value || std::fabs(value[i] - element.value) <= most;
        if (!same || !(error[i] == element.error || std::fabs(error[i] - element.error) <= 1e-9 * element.error))
          FAIL(name_of(function) << " of code " << row * columns + i << ": " << value[i] << " ± " << error[i]
                                 << " beside " << element.value << " ± " << element.error);
      }
    }
    expected.offsets[0].strides[1] = 0;
    CHECK(expected.code_bytes() == 0);
    problem.function = ElementwiseFunction::add;
    expected.formula = ElementwiseFormula(problem, Arithmetic{});
    CHECK(expected.code_bytes() == 0);
  }
}
