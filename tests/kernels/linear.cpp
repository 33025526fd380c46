#include "assay/kernels/linear/linear.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "assay/faults/linear_faults.hpp"
#include "assay/kernels/quantize/reference.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

namespace {

/// Problem, operands and what they expect: data of the suite, or those that a test writes over them.
struct Launch {
  Host host{1};
  LinearProblem problem;
  std::vector<OperandSpec> specs;
  std::vector<OperandTensor<Host>> tensors;
  OperandArray operands;

  Launch(const LinearProblem& given, FillKind kind) : problem(given), specs(Linear::operands(given).value()) {
    auto stream = host.make_stream();
    const OperationData data = Linear::data(problem, kind, Arithmetic{}, 1);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      tensors.push_back(
          std::move(OperandTensor<Host>::create(host, stream.value(), specs[i].format,
                                                specs[i].present ? specs[i].extents : std::vector<Index>{0}))
              .value());
      if (!specs[i].present) continue;
      operands[static_cast<int>(i)] = tensors.back().view();
      const OperandFill& fill = data.operands[i];
      if (specs[i].role != OperandRole::input) continue;
      const OperandValues values{fill.pattern,
                                 fill.inner,
                                 fill.scale,
                                 fill.offset,
                                 fill.lowest,
                                 fill.highest,
                                 fill.given ? fill.given->data() : nullptr};
      REQUIRE(fill_operand(host, stream.value(), operands[static_cast<int>(i)], values));
    }
    operands.count = static_cast<int>(specs.size());
  }
  [[nodiscard]] const Operand& operator[](int position) const { return operands[position]; }
  [[nodiscard]] OperationReference<LinearExpected> reference(RoundingModel model = RoundingModel::statistical,
                                                             const Arithmetic& arithmetic = {}) {
    auto stream = host.make_stream();
    auto made = Linear::reference(host, stream.value(), problem, operands, model, arithmetic);
    REQUIRE(made);
    return std::move(made).value();
  }
};

LinearProblem sized(Index m, Index n, Index k) {
  LinearProblem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  return problem;
}

}  // namespace

TEST_CASE("right linear layers are not accused") {
  testing::require_correct_kernels_pass<Linear>(0.4, 70);
}

TEST_CASE("the portable linear layer is not accused") {
  const testing::SuiteResult result = testing::run_suite(
      testing::suite_of<Linear>(portable_operation_subject<Linear>(Host(1)), OperationSuiteOptions{}.formats), 2, false,
      220);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::pass) >= 150);
  CHECK(result.count(Verdict::fail) + result.count(Verdict::error) + result.count(Verdict::inconclusive) == 0);
}

TEST_CASE("every fault of a linear layer is caught by its default suite") {
  testing::require_faults_are_caught<Linear>();
}

TEST_CASE("a fused layer is activation of scaled sum and bias, plus residual") {
  LinearProblem problem = sized(3, 4, 5);
  problem.bias = problem.residual = true;
  problem.a.scales = problem.b.scales = LinearGranularity::vector;
  for (const LinearActivation activation :
       {LinearActivation::none, LinearActivation::relu, LinearActivation::gelu, LinearActivation::gelu_tanh,
        LinearActivation::silu, LinearActivation::swiglu}) {
    problem.activation = activation;
    Launch launch(problem, FillKind::normal);
    const auto reference = launch.reference();
    using P = LinearOperands;
    for (Index row = 0; row < 3; ++row)
      for (Index column = 0; column < 4; ++column) {
        const auto z = [&](Index at) {
          double sum = 0;
          for (Index term = 0; term < 5; ++term) sum += launch[P::a].at(row, term) * launch[P::b].at(term, at);
          return sum * launch[P::a_scales].at(row) * launch[P::b_scales].at(at) + launch[P::bias].at(at);
        };
        const double x = z(column);
        double y = x;
        if (activation == LinearActivation::relu) y = std::fmax(x, 0.0);
        if (activation == LinearActivation::gelu) y = 0.5 * x * std::erfc(-x / std::sqrt(2.0));
        if (activation == LinearActivation::gelu_tanh)
          y = 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
        if (activation == LinearActivation::silu) y = x / (1 + std::exp(-x));
        if (activation == LinearActivation::swiglu) y = x / (1 + std::exp(-x)) * z(column + 4);
        const ExpectedElement element = reference.expected(row, column);
        CHECK(element.value == Approx(y + launch[P::residual].at(row, column)).epsilon(1e-12));
        CHECK(element.error > 0);
        CHECK(element.error < 1e-4);
      }
  }
}

TEST_CASE("the scales of a row and a column may meet the sum or each other first, out of range too") {
  using P = LinearOperands;
  LinearProblem problem = sized(1, 1, 1);
  problem.a.scales = problem.b.scales = LinearGranularity::vector;
  const auto check = [&](float sum, float scale_a, float scale_b) {
    Launch launch(problem, FillKind::normal);
    launch[P::a].store(0, static_cast<double>(sum));
    launch[P::b].store(0, 1);
    launch[P::a_scales].store(0, static_cast<double>(scale_a));
    launch[P::b_scales].store(0, static_cast<double>(scale_b));
    const ExpectedElement element = launch.reference().expected(0, 0);
    for (const float result : {sum * scale_a * scale_b, sum * scale_b * scale_a, sum * (scale_a * scale_b)}) {
      INFO(sum << " times " << scale_a << " times " << scale_b << ": " << result << " for " << element.value);
      CHECK((is_infinite(element.error) || std::fabs(static_cast<double>(result) - element.value) <= element.error));
    }
    return element.error;
  };
  CHECK(check(0x1.8p100F, 0x1.4p-100F, 0x1.2p-60F) < 0x1p-45);
  CHECK(check(0x1.8p-100F, 0x1.4p-46F, 0x1.2p100F) < 0x1p-48);
  CHECK(check(0x1.8p-100F, 0x1.4p100F, 0x1.2p-46F) < 0x1p-48);
  CHECK(is_infinite(check(0x1.8p-100F, 0x1.4p100F, 0x1.2p60F)));
  CHECK(is_infinite(check(0x1.8p100F, 0x1.4p-60F, 0x1.2p60F)));
  CHECK(check(3, 0.3F, 0.7F) < 1e-6);
}

TEST_CASE("products of bytes less their zero points are exact, to the ends of the range") {
  LinearProblem problem = sized(2, 2, 1000);
  problem.a.format = problem.b.format = element_format<std::uint8_t>();
  problem.a.zero_points = problem.b.zero_points = LinearGranularity::vector;
  problem.output = element_format<std::int32_t>();
  Launch launch(problem, FillKind::extreme);
  using P = LinearOperands;
  launch[P::a_zero_points].store(0, 255);
  launch[P::a_zero_points].store(1, 0);
  launch[P::b_zero_points].store(0, 255);
  launch[P::b_zero_points].store(1, 0);
  for (Index e = 0; e < 2000; ++e) {
    launch[P::a].store(e, e < 1000 ? 0 : 255);
    launch[P::b].store(e, e % 2 == 0 ? 0 : 255);
  }
  const auto reference = launch.reference();
  CHECK(reference.expected(0, 0).value == 255.0 * 255 * 1000);
  CHECK(reference.expected(0, 1).value == -255.0 * 255 * 1000);
  CHECK(reference.expected(1, 1).value == 255.0 * 255 * 1000);
  CHECK(reference.expected(1, 1).error == 0);
}

TEST_CASE("block-scaled operands stand for what dequantizing gives") {
  LinearProblem problem = sized(3, 5, 48);
  problem.transpose_b = true;
  problem.a.storage = problem.b.storage = LinearStorage::block_scaled;
  for (const BlockScaling& scheme : {mxfp8_e4m3(), mxfp6_e3m2(), nvfp4(), nvfp4().in_order(ScaleOrder::tiles_128x4),
                                     uint4_group128(), fp8_blocks("fp8_2x16", 2, 16)}) {
    problem.a.scheme = problem.b.scheme = scheme;
    Launch launch(problem, FillKind::normal);
    const auto reference = launch.reference();
    using P = LinearOperands;
    const auto dequantized = [&](int position, Index vectors) {
      QuantizeProblem quantized;
      quantized.rows = vectors;
      quantized.columns = 48;
      quantized.scheme = scheme;
      const QuantizeLayout layout = lay_out(quantized).value();
      const float whole = static_cast<float>(
          launch[P::whole_scales].present() ? launch[P::whole_scales].load(position == P::a ? 0 : 1) : 1);
      const ConstQuantizedView view{static_cast<const std::uint8_t*>(launch[position].data), launch[position + 1].data,
                                    static_cast<const std::uint8_t*>(launch[position + 2].data), &whole, layout};
      const DequantizeExpected expected = DequantizeExpected::of(quantized, view, {});
      std::vector<double> values;
      for (Index row = 0; row < vectors; ++row)
        for (Index column = 0; column < 48; ++column) values.push_back(expected(row, column).value);
      return values;
    };
    const std::vector<double> a = dequantized(P::a, 3), b = dequantized(P::b, 5);
    for (Index row = 0; row < 3; ++row)
      for (Index column = 0; column < 5; ++column) {
        double sum = 0;
        for (Index term = 0; term < 48; ++term)
          sum += a[static_cast<std::size_t>(row * 48 + term)] * b[static_cast<std::size_t>(column * 48 + term)];
        CHECK(reference.expected(row, column).value == Approx(sum).epsilon(1e-12).margin(1e-12));
      }
  }
}

TEST_CASE("where zero points may be expanded, errors are relative to codes and zero points by themselves") {
  LinearProblem problem = sized(2, 3, 128);
  problem.transpose_b = true;
  problem.b.storage = LinearStorage::block_scaled;
  problem.b.scheme = uint4_group128();
  Launch plain(problem, FillKind::normal);
  problem.expanded_zero_points = true;
  Launch expanded(problem, FillKind::normal);
  const auto without = plain.reference(), with = expanded.reference();
  for (Index column = 0; column < 3; ++column) {
    CHECK(with.expected(1, column).value == without.expected(1, column).value);
    CHECK(with.expected(1, column).error > 2 * without.expected(1, column).error);
    CHECK(with.expected(1, column).error < 20 * without.expected(1, column).error);
  }
}

TEST_CASE("elements that leave the range of the format in which they are held err by what it makes of them") {
  using P = LinearOperands;
  LinearProblem problem = sized(4, 8, 128);
  problem.transpose_b = true;
  problem.b.storage = LinearStorage::block_scaled;
  const auto check = [&](double scale, bool within) {
    const auto launched = [&](const ElementFormat& dequantized) {
      problem.dequantized = dequantized;
      Launch launch(problem, FillKind::normal);
      for (Index e = 0; e < launch[P::b_scales].size(); ++e) launch[P::b_scales].store(e, scale);
      return launch;
    };
    Launch narrow = launched(element_format<float16>());
    const auto reference = narrow.reference(RoundingModel::worst_case),
               wide = launched(element_format<float32>()).reference(RoundingModel::worst_case);
    const LinearReader a = LinearReader::of_a(problem, narrow.operands),
                       b = LinearReader::of_b(problem, narrow.operands);
    for (Index row = 0; row < 4; ++row)
      for (Index column = 0; column < 8; ++column) {
        double sum = 0, size = 0, magnitude = 0;
        for (Index term = 0; term < 128; ++term) {
          const double zero_point = b.zero_point_of_block(0, column, term), factor = b.factor(0, column, term),
                       left = a(0, row, term), of_code = (b.code(0, column, term) + zero_point) * factor;
          sum += left * (round_to<float16>(of_code) - round_to<float16>(zero_point * factor));
          size += std::fabs(left);
          magnitude += std::fabs(left) * (std::fabs(of_code) + std::fabs(zero_point * factor));
        }
        const ExpectedElement element = reference.expected(row, column);
        const double others = wide.expected(row, column).error, parts = problem.expanded_zero_points ? 2 : 1;
        INFO(problem.b.scheme.name << " with scale " << scale << ": " << sum << " for " << element.value << ", E "
                                   << element.error);
        CHECK(std::fabs(sum - element.value) <= element.error);
        CHECK(element.error <= (within ? others : 1.01 * (others + parts * (0x1p-11 * magnitude + 0x1p-25 * size))));
      }
  };
  SECTION("powers of two times few bits are exact down to the smallest number, and no further") {
    problem.b.scheme = mxfp4();
    check(0x1p-6, true);
    check(0x1p-22, true);
    check(0x1p-26, false);
  }
  SECTION("other scales round to multiples of it") {
    problem.b.scheme = int4_group128();
    check(0x1.2p-18, false);
    check(0x1.2p-22, false);
    check(0x1.2p-26, false);
  }
  SECTION("integers that may be expanded, each part by itself") {
    problem.b.scheme = uint4_group128();
    problem.expanded_zero_points = true;
    check(0x1.2p-22, false);
  }
}

TEST_CASE("elements that may overflow where they are held leave the sum open") {
  using P = LinearOperands;
  LinearProblem problem = sized(1, 2, 32);
  problem.transpose_b = true;
  problem.b.storage = LinearStorage::block_scaled;
  problem.b.scheme = mxfp4();
  const auto check = [&](const ElementFormat& dequantized, double scale) {
    problem.dequantized = dequantized;
    Launch launch(problem, FillKind::normal);
    for (Index term = 0; term < 32; ++term) launch[P::a].store(term, 0x1p-100);
    for (Index e = 0; e < 16; ++e) {
      launch[P::b].store(e, 0x55);       // 3, twice
      launch[P::b].store(16 + e, 0x66);  // 4
    }
    for (Index column = 0; column < 2; ++column) launch[P::b_scales].store(column, scale);
    const auto reference = launch.reference();
    CHECK(is_finite(reference.expected(0, 0).error));
    CHECK(is_infinite(reference.expected(0, 1).error));
  };
  check(element_format<float16>(), 0x1p14);
  check(element_format<float32>(), 0x1p126);
}

TEST_CASE("scales and sums of codes may leave the range before they meet, whichever is multiplied first") {
  using P = LinearOperands;
  LinearProblem problem = sized(1, 1, 32);
  problem.transpose_b = true;
  problem.a.storage = problem.b.storage = LinearStorage::block_scaled;
  const auto expected = [&](const BlockScaling& scheme, std::uint32_t code, double scale_a, double scale_b,
                            const Arithmetic& arithmetic = {}) {
    problem.a.scheme = problem.b.scheme = scheme;
    Launch launch(problem, FillKind::normal);
    for (const int position : {P::a, P::b})
      for (Index e = 0; e < launch[position].size(); ++e) launch[position].store(e, code);
    launch[P::a_scales].store(0, scale_a);
    launch[P::b_scales].store(0, scale_b);
    return launch.reference(RoundingModel::worst_case, arithmetic).expected(0, 0);
  };
  const auto kernels = [](float sum, double scale_a, double scale_b) {
    const float a = static_cast<float>(scale_a), b = static_cast<float>(scale_b), both = a * b;
    return std::vector<float>{sum * a * b, sum * b * a, sum * both};
  };
  const std::uint32_t largest = 0x7e, smallest = 1, six = 0x77;  // of e4m3, e5m2, and of e2m1 twice
  const auto check = [&](const BlockScaling& scheme, std::uint32_t code, double value, double scale_a, double scale_b) {
    const ExpectedElement element = expected(scheme, code, scale_a, scale_b);
    CHECK(element.value == 32 * value * value * scale_a * scale_b);
    for (const float result : kernels(static_cast<float>(32 * value * value), scale_a, scale_b)) {
      INFO(scheme.name << " with scales " << scale_a << " and " << scale_b << ": " << result << " for "
                       << element.value);
      CHECK((is_infinite(element.error) || std::fabs(result - element.value) <= element.error));
    }
    return element.error;
  };
  CHECK(check(mxfp8_e4m3(), largest, 448, 0x1p-100, 0x1p-60) < 0x1p-125);  // the product of the scales is 0
  CHECK(check(mxfp8_e5m2(), smallest, 0x1p-16, 0x1p-126, 0x1p100) < 0x1p-40);
  CHECK(check(mxfp8_e5m2(), smallest, 0x1p-16, 0x1p100, 0x1p-126) < 0x1p-40);
  CHECK(is_infinite(check(mxfp4(), six, 6, 0x1p120, 0x1p-120)));
  CHECK(is_infinite(check(mxfp4(), six, 6, 0x1p-120, 0x1p120)));
  CHECK(check(mxfp8_e4m3(), largest, 448, 0x1p-20, 0x1p20) < 0x1p-10 * 448 * 448);
  CHECK(is_infinite(expected(mxfp4(), 0, 0x1p100, 0x1p100).error));  // 0·∞
  Arithmetic flushing;
  flushing.accumulation.min_subnormal = 0x1p-126;
  const ExpectedElement flushed = expected(mxfp8_e4m3(), largest, 0x1p-127, 1, flushing);  // the scale of A is 0
  CHECK(flushed.value == 32 * 448 * 448 * 0x1p-127);
  CHECK(flushed.error >= flushed.value);
}

TEST_CASE("extreme data tell a kernel that takes the smallest scale for 0 or for twice as much") {
  using P = LinearOperands;
  LinearProblem problem = sized(5, 2, 64);
  problem.transpose_b = true;
  problem.a.storage = problem.b.storage = LinearStorage::block_scaled;
  for (const BlockScaling& scheme : {mxfp8_e4m3(), mxfp8_e5m2(), mxfp6_e2m3(), mxfp6_e3m2(), mxfp4(), mxint8()}) {
    problem.a.scheme = problem.b.scheme = scheme;
    Launch launch(problem, FillKind::extreme);
    CHECK(launch[P::a_scales].at(4, 0) == 0x1p-127);
    CHECK(launch[P::a_scales].at(3, 0) > 0x1p-20);
    const ExpectedElement element = launch.reference(RoundingModel::worst_case).expected(4, 1);
    INFO(scheme.name << ": " << element.value);
    CHECK(element.error < std::fabs(element.value) / 8);
    CHECK(std::fabs(element.value) > 0x1p-126);
  }
}

TEST_CASE(
    "a sum that an infinite scale makes NaN is left open, and so are infinities whose zero points may be expanded") {
  using P = LinearOperands;
  const double infinity = BoundedArithmetic::infinity();
  LinearProblem problem = sized(1, 1, 128);
  problem.transpose_b = true;
  problem.b.storage = LinearStorage::block_scaled;
  problem.b.scheme = uint4_group128();
  const auto expected = [&](double element, double scale) {
    Launch launch(problem, FillKind::normal);
    for (Index term = 0; term < 128; ++term) launch[P::a].store(term, term == 1 ? element : 1);
    for (Index e = 0; e < 64; ++e)
      launch[P::b].store(e, e == 0 ? 0x97 : 0x99);  // the first weight is 0, the others are 2
    launch[P::b_scales].store(0, scale);
    launch[P::b_zero_points].store(0, 7);
    return launch.reference().expected(0, 0);
  };
  for (const bool expanded : {false, true}) {
    problem.expanded_zero_points = expanded;
    CHECK(is_infinite(expected(1, infinity).error));                    // 0·∞, but (0 + 2 + …)·∞
    CHECK(expected(infinity, 0.5).error == (expanded ? infinity : 0));  // ∞·9 − ∞·7
    CHECK(expected(infinity, 0.5).value == (expanded ? 0 : infinity));
    CHECK(is_nan(expected(infinity - infinity, 0.5).value));
  }
  problem.output_scaled = true;
  problem.output = element_format<std::int8_t>();
  CHECK(is_infinite(expected(infinity, 0.5).error));
  for (const OperandFill& fill : linear_data(problem, FillKind::special, Arithmetic{}, 1).operands)
    if (fill.given)
      for (const double value : *fill.given) CHECK_FALSE(is_infinite(value));
}

TEST_CASE("both parts of an expanded weight and their difference may be rounded where it is held") {
  using P = LinearOperands;
  LinearProblem problem = sized(1, 1, 16);
  problem.transpose_b = problem.expanded_zero_points = true;
  problem.b.storage = LinearStorage::block_scaled;
  problem.b.scheme = uint4_group128();
  problem.dequantized = element_format<float16>();
  Launch launch(problem, FillKind::normal);
  for (Index term = 0; term < 16; ++term) launch[P::a].store(term, term == 0 ? 1 : 0);
  for (int zero_point = 0; zero_point < 16; ++zero_point)
    for (int code = 0; code < 16; ++code)
      for (int step = 0; step < 64; ++step) {
        const double scale = 1 + (step + 0.5) / 1024 / 64 * 67;
        launch[P::b].store(0, code);
        launch[P::b_scales].store(0, scale);
        launch[P::b_zero_points].store(0, zero_point);
        const double stored = launch[P::b_scales].load(0),
                     held =
                         round_to<float16>(round_to<float16>(code * stored) - round_to<float16>(zero_point * stored));
        const ExpectedElement element = launch.reference(RoundingModel::worst_case).expected(0, 0);
        if (std::fabs(held - element.value) > element.error) FAIL(code << " - " << zero_point << " times " << stored);
      }
}

TEST_CASE("sparse weights stand where their metadata say") {
  LinearProblem problem = sized(4, 1, 4);
  problem.transpose_b = true;
  problem.b.storage = LinearStorage::sparse;
  Launch launch(problem, FillKind::normal);
  using P = LinearOperands;
  for (Index e = 0; e < 16; ++e) launch[P::a].store(e, e % 5 == 0 ? 1 : 0);
  launch[P::b].store(0, 3);
  launch[P::b].store(1, 7);
  launch[P::metadata].store(0, 1 | 3 << 2);
  const auto reference = launch.reference();
  for (Index row = 0; row < 4; ++row) CHECK(reference.expected(row, 0).value == (row == 1 ? 3 : row == 3 ? 7 : 0));
}

TEST_CASE("NaN and infinities that sparse weights leave out may be multiplied by 0, or not at all") {
  using P = LinearOperands;
  const double infinity = BoundedArithmetic::infinity(), nan = infinity - infinity;
  LinearProblem problem = sized(4, 1, 4);
  problem.transpose_b = true;
  problem.b.storage = LinearStorage::sparse;
  for (const bool bias : {false, true}) {
    problem.bias = bias;
    Launch launch(problem, FillKind::normal);
    for (Index e = 0; e < 16; ++e) launch[P::a].store(e, 1);
    launch[P::a].store(0, nan);
    launch[P::a].store(4 + 2, infinity);
    launch[P::a].store(8 + 1, nan);
    launch[P::a].store(12 + 3, infinity);
    launch[P::b].store(0, 3);
    launch[P::b].store(1, 7);
    launch[P::metadata].store(0, 1 | 3 << 2);
    const auto reference = launch.reference();
    for (const Index row : {0, 1}) {
      CHECK(is_infinite(reference.expected(row, 0).error));
      CHECK(is_finite(reference.expected(row, 0).value));
    }
    CHECK(is_nan(reference.expected(2, 0).value));
    CHECK(reference.expected(3, 0).value == infinity);
    CHECK(reference.expected(3, 0).error == 0);
  }
}

TEST_CASE("rows are multiplied by the weights of their group") {
  for (const GroupSizes sizes : {GroupSizes::even, GroupSizes::ragged, GroupSizes::one}) {
    LinearProblem problem = sized(23, 2, 1);
    problem.groups = 9;
    problem.group_sizes = sizes;
    Launch launch(problem, FillKind::normal);
    using P = LinearOperands;
    for (Index row = 0; row < 23; ++row) launch[P::a].store(row, 1);
    for (Index e = 0; e < 18; ++e) launch[P::b].store(e, static_cast<double>(e / 2));
    const auto reference = launch.reference();
    CHECK(launch[P::offsets].load(0) == 0);
    CHECK(launch[P::offsets].load(9) == 23);
    for (Index group = 0; group < 9; ++group)
      for (Index row = static_cast<Index>(launch[P::offsets].load(group));
           row < static_cast<Index>(launch[P::offsets].load(group + 1)); ++row)
        CHECK(reference.expected(row, 1).value == static_cast<double>(group));
  }
}

TEST_CASE("what exceeds a quantized output is its end") {
  LinearProblem problem = sized(1, 2, 1);
  problem.output_scaled = true;
  for (const ElementFormat& output :
       {element_format<std::int8_t>(), element_format<std::uint8_t>(), element_format<float8_e4m3fn>()}) {
    problem.output = output;
    Launch launch(problem, FillKind::normal);
    using P = LinearOperands;
    launch[P::a].store(0, 1000);
    launch[P::b].store(0, 1);
    launch[P::b].store(1, -1);
    launch[P::whole_scales].store(2, 0.5);
    const auto reference = launch.reference();
    CHECK(reference.expected(0, 0).value == output.max_finite());
    CHECK(reference.expected(0, 1).value == (output.is_float() ? -448 : static_cast<double>(output.integers.lowest())));
    CHECK(reference.expected(0, 0).error == 0);
  }
}

TEST_CASE("a sum that may overflow is left open where what follows brings it back into range, and due where it must") {
  using P = LinearOperands;
  LinearProblem problem = sized(1, 4, 2);
  const double largest = max_finite<float32>(), infinity = BoundedArithmetic::infinity();
  const auto expected = [&](double bias) {
    Launch launch(problem, FillKind::normal);
    launch[P::a].store(0, 1);
    launch[P::a].store(1, 1);
    // of sums well within the range, at its edge, just within and beyond
    const double halves[4] = {0x1p125, largest / 2, largest * (1 - 0x1p-24) / 2, 0x1.2p127};
    for (Index e = 0; e < 8; ++e) launch[P::b].store(e, halves[e % 4]);
    if (problem.a.scales != LinearGranularity::none) launch[P::a_scales].store(0, 0x1p-10);
    if (problem.output_scaled) launch[P::whole_scales].store(2, 0x1p124);
    for (Index column = 0; problem.bias && column < 4; ++column) launch[P::bias].store(column, bias);
    const auto reference = launch.reference(RoundingModel::worst_case);
    std::vector<ExpectedElement> elements;
    for (Index column = 0; column < 4; ++column) elements.push_back(reference.expected(0, column));
    return elements;
  };
  SECTION("a scale") {
    problem.a.scales = LinearGranularity::tensor;
  }
  SECTION("the scale of a quantized output") {
    problem.output_scaled = true;
    problem.output = element_format<std::int8_t>();
  }
  SECTION("a bias") {
    problem.bias = true;
  }
  SECTION("an activation") {
    problem.activation = LinearActivation::relu;
  }
  const auto elements = expected(-0x1p100);
  CHECK(is_finite(elements[0].error));
  CHECK(is_infinite(elements[1].error));
  CHECK(is_infinite(elements[2].error));
  CHECK(elements[3].value == (problem.output_scaled ? 127 : infinity));
  if (problem.a.scales == LinearGranularity::none) CHECK(elements[3].error == 0);
  if (problem.bias) CHECK(is_infinite(expected(-0x1p126)[3].error));  // a sum that begins with it does not overflow
}

TEST_CASE("activations of infinities and NaN are what their formulas give") {
  const BoundedArithmetic arithmetic{Arithmetic{}};
  const double infinity = BoundedArithmetic::infinity(), nan = infinity - infinity;
  using enum LinearActivation;
  for (const LinearActivation activation : {relu, gelu, gelu_tanh, silu}) {
    CHECK(is_nan(activate(arithmetic, activation, {nan, 0}).value));
    CHECK(activate(arithmetic, activation, {infinity, 0}).value == infinity);
    const double least = activate(arithmetic, activation, {-infinity, 0}).value;
    CHECK((activation == relu ? least == 0 : is_nan(least)));
    for (const double x : {-200.0, -20.0, -3.0, -1e-8, 0.0, 0.5, 9.0, 1e30}) {
      INFO(name_of(activation) << " of " << x);
      const Bounded exactly = activate(arithmetic, activation, {x, 0});
      CHECK(std::fabs(activate(activation, static_cast<float>(x)) - exactly.value) <=
            exactly.error + std::fabs(exactly.value) * 0x1p-23 + 0x1p-126);
      for (const double moved : {x - 0.25, x + 0.25}) {
        const Bounded about = activate(arithmetic, activation, {x, 0.25});
        CHECK(std::fabs(activate(arithmetic, activation, {moved, 0}).value - about.value) <= about.error);
      }
    }
  }
}

TEST_CASE("linear layers that cannot be are refused") {
  LinearProblem problem = sized(4, 4, 8);
  SECTION("negative extent") {
    problem.groups = -1;
    testing::require_refused<Linear>(problem, "groups");
  }
  SECTION("extents that overflow") {
    problem.n = problem.k = Index{1} << 40;
    testing::require_refused<Linear>(problem, "at k");
  }
  SECTION("sparse terms") {
    problem.b.storage = LinearStorage::sparse;
    problem.transpose_b = true;
    problem.k = 6;
    testing::require_refused<Linear>(problem, "k is 6");
  }
  SECTION("sparse A") {
    problem.a.storage = LinearStorage::sparse;
    testing::require_refused<Linear>(problem, "a: storage");
  }
  SECTION("orientation of block-scaled weights") {
    problem.b.storage = LinearStorage::block_scaled;
    problem.b.scheme = mxfp4();
    testing::require_refused<Linear>(problem, "transpose_b");
  }
  SECTION("a scheme that cannot be") {
    problem.b.storage = LinearStorage::block_scaled;
    problem.transpose_b = true;
    testing::require_refused<Linear>(problem, "block scaling");
  }
  SECTION("zero points of numbers") {
    problem.a.zero_points = LinearGranularity::tensor;
    testing::require_refused<Linear>(problem, "zero_points");
  }
  SECTION("one integer operand") {
    problem.a.format = element_format<std::int8_t>();
    testing::require_refused<Linear>(problem, "b: format");
  }
  SECTION("zero points that are not there, expanded") {
    problem.expanded_zero_points = true;
    testing::require_refused<Linear>(problem, "expanded_zero_points");
  }
  SECTION("wide integers") {
    problem.a.format = problem.b.format = element_format<std::int32_t>();
    testing::require_refused<Linear>(problem, "a: format");
  }
  SECTION("integer output of numbers") {
    problem.output = element_format<std::int32_t>();
    testing::require_refused<Linear>(problem, "output is");
  }
  SECTION("quantized output of 32 bits") {
    problem.output_scaled = true;
    testing::require_refused<Linear>(problem, "output_scaled");
  }
  SECTION("format of dequantized elements") {
    problem.dequantized = element_format<std::int8_t>();
    testing::require_refused<Linear>(problem, "dequantized");
  }
}
