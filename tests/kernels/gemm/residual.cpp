#include "assay/kernels/gemm/residual.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "assay/kernels/gemm/portable.hpp"
#include "kernels/gemm_operands.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

/// A format that vectors do not decode.
using TwelveBits = SmallFloat<FloatLayout{6, 5, 31, SpecialValues::ieee}>;
template <>
struct assay::FormatTraits<TwelveBits>
    : FloatFormatTraits<TwelveBits, std::uint16_t, FloatLayout{6, 5, 31, SpecialValues::ieee}> {
  static constexpr const char* name() { return "twelve bits"; }
};

namespace {

using Bf16 = Gemm<bfloat16, bfloat16, float32, bfloat16>;
using F16 = Gemm<float16, float16, float32, float16>;
using F32 = Gemm<float32, float32, float32, float32>;
using F64 = Gemm<float64, float64, float64, float64>;

/// Runs the portable kernel on a problem with data of a kind, in plain vectors.
template <class Op>
struct Multiplied {
  GemmVectors<Op> operands;
  std::vector<typename Op::FormatC> before;
  ExplainedGemmBound explained;
  GemmResidualOptions options;
  Host host{2};
  Host::Stream stream;

  Multiplied(const GemmProblem& problem, FillKind kind, std::uint64_t seed = 1)
      : operands(problem, gemm_data<Op>(kind, problem, seed)), before(operands.c) {
    const GemmData data = gemm_data<Op>(kind, problem, seed);
    const AccumulationModel accumulation = accumulation_in<typename Op::Accumulator>();
    explained = gemm_bound(problem, accumulation, data.model, data.terms, gemm_needs_double_double<Op>);
    options.seed = seed;
    options.output_is_exact = kind == FillKind::exact_integer && data.model == RoundingModel::exact;
    options.independent_growth = independent_growth(explained.bound, accumulation, data.model, data.terms);
    REQUIRE(portable_gemm<Op>(host, stream, problem, operands.arguments()));
  }
  [[nodiscard]] GemmResidual residual() {
    auto old = operands.arguments().c;
    old.data = before.data();
    auto found = gemm_residual<Op>(host, stream, operands.problem, operands.arguments(), old, explained.bound, options);
    REQUIRE(found);
    return std::move(found).value();
  }
  [[nodiscard]] std::vector<std::size_t> refuted() {
    const GemmResidual found = residual();
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < found.rows.size(); ++row)
      if (found.rows[row].refuted()) rows.push_back(row);
    return rows;
  }
};

/// A matrix whose elements lie at the given strides, and sums of its rows in 113 bits.
template <class T>
struct Summed {
  Index rows, columns, row_stride, column_stride;
  std::vector<T> elements;
  std::vector<double> weights;

  Summed(Index m, Index n, Index between_rows, Index between_columns, std::size_t values)
      : rows(m),
        columns(n),
        row_stride(between_rows),
        column_stride(between_columns),
        elements(static_cast<std::size_t>(m * n * 3 + 64)),
        weights(static_cast<std::size_t>(detail::residual_stride(n)) * values) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    for (T& element : elements) element = encode<T>(normal(random));
    for (std::size_t value = 0; value < values; ++value)
      for (Index column = 0; column < n; ++column)
        weights[value * static_cast<std::size_t>(detail::residual_stride(n)) + static_cast<std::size_t>(column)] =
            normal(random) > 0 ? 1 : -1;
  }
  [[nodiscard]] Quad element(Index row, Index column) const {
    return decode(elements[static_cast<std::size_t>(row * row_stride + column * column_stride)]);
  }
  [[nodiscard]] Quad product(std::size_t value, Index row) const {
    Quad sum = 0;
    for (Index column = 0; column < columns; ++column)
      sum += element(row, column) *
             static_cast<Quad>(weights[value * static_cast<std::size_t>(detail::residual_stride(columns)) +
                                       static_cast<std::size_t>(column)]);
    return sum;
  }
};

double distance(Quad a, double b) {
  return std::fabs(static_cast<double>(a - static_cast<Quad>(b)));
}

template <class T, bool Compensated, class Body>
void check_body(const Summed<T>& matrix) {
  using Values = detail::ResidualValues<Compensated>;
  const Index stride = detail::residual_stride(matrix.rows);
  for (InstructionSet set : all_instruction_sets) {
    if (set > widest_instruction_set()) continue;
    std::vector<double> partials(static_cast<std::size_t>(stride) * Values::partial_count, 99);
    const detail::ResidualTile<T> tile{matrix.elements.data(),
                                       matrix.rows,
                                       matrix.columns,
                                       matrix.row_stride,
                                       matrix.column_stride,
                                       matrix.weights.data(),
                                       detail::residual_stride(matrix.columns),
                                       partials.data(),
                                       stride};
    detail::run_variant<Body>(set, tile);
    INFO(FormatTraits<T>::name() << ' ' << name_of(set) << ' ' << matrix.rows << 'x' << matrix.columns);
    bool right = true;
    for (Index row = 0; row < matrix.rows; ++row)
      for (std::size_t v = 0; v < detail::residual_vectors; ++v)
        right =
            right && distance(matrix.product(v, row),
                              partials[v * static_cast<std::size_t>(stride) + static_cast<std::size_t>(row)]) < 1e-11;
    CHECK(right);
  }
}

template <class T>
void check_bodies() {
  constexpr bool compensated = std::is_same_v<T, float64>;
  constexpr std::size_t weights = detail::ResidualValues<compensated>::count;
  for (Index columns : {1, 3, 8, 15, 16, 17, 40, 511}) {
    for (Index rows : {1, 2, 5, 16, 31}) {
      using detail::ResidualPass;
      check_body<T, compensated, detail::ContiguousRows<T, ResidualPass::input, compensated>>(
          Summed<T>(rows, columns, columns + 3, 1, weights));
      check_body<T, compensated, detail::ContiguousColumns<T, ResidualPass::input, compensated>>(
          Summed<T>(rows, columns, 1, rows + 1, weights));
    }
  }
}

}  // namespace

TEST_CASE("a pass sums rows right in every format, order and instruction set, whatever their length") {
  check_bodies<float32>();
  check_bodies<float64>();
  check_bodies<bfloat16>();
  check_bodies<float16>();
  check_bodies<TwelveBits>();
}

TEST_CASE("vectors decode every 16-bit code, NaN and infinities included") {
  const auto codes = [](auto format, InstructionSet set) {
    using T = decltype(format);
    std::size_t wrong = 0;
    for (std::uint32_t code = 0; code < 65536; ++code) {
      // one row that holds the code alone: its sum with sign +1 or -1 is the code, or not finite
      std::vector<T> row(32);
      for (T& element : row) element = FormatTraits<T>::from_bits(0);
      row[code % 32] = FormatTraits<T>::from_bits(static_cast<std::uint16_t>(code));
      const double value = decode(row[code % 32]);
      std::vector<double> weights(32 * detail::residual_vectors, 1.0),
          partials(16 * detail::ResidualValues<false>::partial_count);
      const detail::ResidualTile<T> tile{row.data(), 1, 32, 32, 1, weights.data(), 32, partials.data(), 16};
      detail::run_variant<detail::ContiguousRows<T, detail::ResidualPass::input, false>>(set, tile);
      if (is_finite(value) ? partials[0] != value : is_finite(partials[0])) ++wrong;
      if (is_infinite(value) && partials[0] != value) ++wrong;
    }
    return wrong;
  };
  for (InstructionSet set : all_instruction_sets) {
    if (set > widest_instruction_set()) continue;
    INFO(name_of(set));
    CHECK(codes(float16{}, set) == 0);
    CHECK(codes(bfloat16{}, set) == 0);
  }
}

TEST_CASE("compensated sums hold what plain double loses") {
  const Index n = 600;
  Host host(2);
  Host::Stream stream;
  std::vector<double> matrix(static_cast<std::size_t>(n * 3)),
      signs(static_cast<std::size_t>(detail::residual_stride(n)) * 9, 1.0);
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (Index j = 0; j < n; ++j) {
    for (std::size_t row = 0; row < 3; ++row)
      matrix[row * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)] =
          normal(random) * std::ldexp(1.0, static_cast<int>(j % 90) - 45);
    for (std::size_t value = 0; value < 9; ++value)
      signs[value * static_cast<std::size_t>(detail::residual_stride(n)) + static_cast<std::size_t>(j)] =
          value < 4   ? normal(random)
          : value < 8 ? 1e-17 * normal(random)
                      : 1;
  }
  const StridedView<const double, 3> rows{matrix.data(), {1, 3, n}, {3 * n, n, 1}};
  std::vector<double> reversed(matrix);  // the same, with columns contiguous
  for (Index row = 0; row < 3; ++row)
    for (Index j = 0; j < n; ++j)
      reversed[static_cast<std::size_t>(j * 3 + row)] = matrix[static_cast<std::size_t>(row * n + j)];
  const StridedView<const double, 3> columns{reversed.data(), {1, 3, n}, {3 * n, 1, 3}};
  std::vector<double> spread(2 * matrix.size());  // and with neither
  for (std::size_t i = 0; i < matrix.size(); ++i) spread[2 * i] = matrix[i];
  const StridedView<const double, 3> strided{spread.data(), {1, 3, n}, {6 * n, 2 * n, 2}};
  for (const auto& view : {rows, columns, strided}) {
    std::vector<Host::Buffer<double>> memory;
    auto sums = detail::residual_pass<detail::ResidualPass::product, true>(host, stream, view, signs.data(), 0, memory);
    REQUIRE(sums);
    for (Index row = 0; row < 3; ++row) {
      for (std::size_t v = 0; v < 4; ++v) {
        Quad exact = 0, size = 0;
        for (Index j = 0; j < n; ++j) {
          const std::size_t at = v * static_cast<std::size_t>(detail::residual_stride(n)) + static_cast<std::size_t>(j),
                            low = at + 4 * static_cast<std::size_t>(detail::residual_stride(n));
          const Quad term =
              static_cast<Quad>(view(0, row, j)) * (static_cast<Quad>(signs[at]) + static_cast<Quad>(signs[low]));
          exact += term;
          size += term < 0 ? -term : term;
        }
        const std::size_t place = v * 16 + static_cast<std::size_t>(row);
        const Quad found = static_cast<Quad>(sums.value()[place]) + static_cast<Quad>(sums.value()[place + 64]);
        const double error = std::fabs(static_cast<double>((found - exact) / size));
        CHECK(error < detail::residual_arithmetic_error<true>(n, n));
        CHECK(error < 1e-20);
      }
    }
  }
}

TEMPLATE_TEST_CASE("a correct kernel stays within its allowance, in any layout", "", Bf16, F16, F32, F64) {
  GemmProblem plain = gemm_of(33, 70, 90, 2), columns = plain, transposed = plain, spaced = plain, scaled = plain;
  columns.order = StorageOrder::column_major;
  transposed.transpose_a = transposed.transpose_b = true;
  spaced.leading_dimension_a = 100, spaced.leading_dimension_b = 77, spaced.leading_dimension_c = 90,
  spaced.batch_stride_c = 4000;
  scaled.alpha = 0.75, scaled.beta = -1.5;
  for (const GemmProblem& problem : {plain, columns, transposed, spaced, scaled, gemm_of(1, 1, 1), gemm_of(3, 1, 700),
                                     gemm_of(1, 900, 5), gemm_of(4, 5, 0)}) {
    for (FillKind kind : {FillKind::normal, FillKind::uniform, FillKind::constant, FillKind::exact_integer,
                          FillKind::log_uniform, FillKind::one_hot, FillKind::near_tie, FillKind::swamping}) {
      Multiplied<TestType> work(problem, kind);
      const GemmResidual found = work.residual();
      INFO(name_of(problem) << ' ' << name_of(kind));
      REQUIRE(found.rows.size() == static_cast<std::size_t>(problem.batch * problem.m));
      double worst = 0;
      bool judged = true;
      for (const GemmRowResidual& row : found.rows) {
        worst = std::max(worst, row.ratio());
        judged = judged && row.state == GemmRowState::judged;
      }
      CHECK(judged);
      CHECK(worst <= 1);
      if (work.options.output_is_exact) CHECK(found.rows[0].allowance == 0);
    }
  }
}

TEMPLATE_TEST_CASE(
    "a single element that is further off than what is called visible is seen in its row, and only there", "", Bf16,
    F16, F32, F64) {
  for (FillKind kind : {FillKind::normal, FillKind::uniform}) {
    Multiplied<TestType> work(gemm_of(40, 64, 80, 2), kind);
    const GemmResidual right = work.residual();
    for (std::size_t place : {std::size_t{0}, std::size_t{777}, std::size_t{40 * 64 + 5}, work.operands.c.size() - 1}) {
      auto& element = work.operands.c[place];
      const auto kept = element;
      const GemmRowResidual& row = right.rows[place / 64];
      element =
          encode<typename TestType::FormatC>(decode(kept) + 1.02 * row.visible_error() +
                                             2 * unit_in_last_place<typename TestType::FormatC>(row.visible_error()));
      CHECK(work.refuted() == std::vector<std::size_t>{place / 64});
      element = encode<typename TestType::FormatC>(decode(kept) + 0.4 * row.allowance);
      CHECK(work.refuted().empty());  // what is below the allowance may stay unseen, and is never an accusation
      element = kept;
    }
  }
}

TEMPLATE_TEST_CASE("on integers that are exact an element off by one is seen", "", Bf16, F16, F32) {
  Multiplied<TestType> work(gemm_of(30, 50, 64), FillKind::exact_integer);
  REQUIRE(work.options.output_is_exact);
  CHECK(work.refuted().empty());
  for (std::size_t place = 3; place < work.operands.c.size(); place += 211) {
    auto& element = work.operands.c[place];
    const auto kept = element;
    element = encode<typename TestType::FormatC>(decode(kept) + (decode(kept) > 0 ? -1 : 1));
    CHECK(work.refuted() == std::vector<std::size_t>{place / 50});
    element = kept;
  }
}

TEST_CASE("equal and opposite errors cancel with a chance of 2^-vectors") {
  Multiplied<F32> work(gemm_of(2, 64, 16), FillKind::exact_integer);
  work.operands.c[3] += 1;
  work.operands.c[50] -= 1;
  unsigned missed = 0, missed_by_eight = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    work.options.seed = seed;
    work.options.vectors = 4;
    missed += work.refuted().empty();
    work.options.vectors = 5;
    missed_by_eight += work.refuted().empty();
  }
  CHECK(missed > 25);  // 50 expected
  CHECK(missed < 80);
  CHECK(missed_by_eight < 15);  // 3 expected
}

TEST_CASE("what is not finite is undecided, or refuted where it cannot be right") {
  const float nan = std::nanf(""), infinity = HUGE_VALF;
  Multiplied<F32> work(gemm_of(10, 20, 30), FillKind::normal);
  work.operands.c[5 * 20 + 3] = nan;
  work.operands.c[7 * 20 + 19] = -infinity;
  CHECK(work.refuted() == std::vector<std::size_t>{5, 7});
  CHECK(work.residual().rows[5].ratio() == HUGE_VAL);

  work.operands.a[5 * 30 + 1] = infinity;  // now NaN may be right there
  CHECK(work.residual().rows[5].state == GemmRowState::inputs_not_finite);
  CHECK(work.refuted() == std::vector<std::size_t>{7});
  work.operands.b[4] = nan;
  for (const GemmRowResidual& row : work.residual().rows) CHECK(row.state == GemmRowState::inputs_not_finite);

  Multiplied<F16> large(gemm_of(6, 8, 40), FillKind::normal);
  for (Index k = 0; k < 40; ++k) large.operands.a[static_cast<std::size_t>(2 * 40 + k)] = float16(30000.0);
  large.operands.c[2 * 8 + 1] = float16(HUGE_VAL);
  CHECK(large.residual().rows[2].state == GemmRowState::may_overflow);
  CHECK(large.residual().rows[1].state == GemmRowState::judged);
}

TEST_CASE("without a bound nothing is refuted") {
  Multiplied<F32> work(gemm_of(3, 5, 7), FillKind::normal);
  work.explained.bound.growth = HUGE_VAL;
  work.operands.c[4] += 100;
  for (const GemmRowResidual& row : work.residual().rows) CHECK(row.state == GemmRowState::no_bound);
  CHECK(work.refuted().empty());
}

TEST_CASE("a kernel that rounds a subnormal alpha stays within its allowance") {
  constexpr double alpha = 3e-42;
  GemmProblem problem = gemm_of(4, 6, 5);
  problem.alpha = round_to<float32>(alpha);
  Multiplied<F32> work(problem, FillKind::normal);
  for (float& element : work.operands.a) element *= 0x1p100F;
  REQUIRE(portable_gemm<F32>(work.host, work.stream, problem, work.operands.arguments()));
  work.operands.problem.alpha = alpha;
  work.explained = gemm_bound(work.operands.problem, accumulation_in<float32>(), RoundingModel::worst_case, 5, false);
  CHECK(work.refuted().empty());
  work.operands.c[8] *= 1.01F;
  CHECK(work.refuted() == std::vector<std::size_t>{1});
}

TEST_CASE("alpha = 0 and K = 0 read neither A nor B") {
  for (GemmProblem problem : {gemm_of(4, 6, 5), gemm_of(4, 6, 0)}) {
    problem.alpha = problem.k == 0 ? 1 : 0;
    problem.beta = 0.5;
    Multiplied<F32> work(problem, FillKind::normal);
    for (float& element : work.operands.a) element = std::nanf("");
    CHECK(work.refuted().empty());
    CHECK(work.residual().rows[0].state == GemmRowState::judged);
    work.operands.c[8] += 1;
    CHECK(work.refuted() == std::vector<std::size_t>{1});
  }
}

TEST_CASE("residuals are the same for any number of threads, and an empty output has none") {
  Multiplied<Bf16> work(gemm_of(70, 600, 600), FillKind::normal);
  const GemmResidual two = work.residual();
  work.host = Host(1);
  const GemmResidual one = work.residual();
  for (std::size_t row = 0; row < one.rows.size(); ++row) {
    CHECK(one.rows[row].residual == two.rows[row].residual);
    CHECK(one.rows[row].allowance == two.rows[row].allowance);
  }
  for (const GemmProblem& empty : {gemm_of(0, 5, 5), gemm_of(5, 5, 5, 0)})
    CHECK(Multiplied<F32>(empty, FillKind::normal).residual().rows.empty());
  CHECK(Multiplied<F32>(gemm_of(5, 0, 5), FillKind::normal).refuted().empty());
}

TEST_CASE("independent errors of a row sharpen the bound only where the model says that they are independent") {
  const GemmProblem problem = gemm_of(8, 100, 1000);
  const AccumulationModel f32 = accumulation_in<float32>();
  const GemmBound statistical = gemm_bound(problem, f32, RoundingModel::statistical, problem.k, false).bound;
  CHECK(independent_growth(statistical, f32, RoundingModel::statistical, problem.k) ==
        Approx(std::sqrt(1002.0) * 0x1p-24));
  CHECK(independent_growth(statistical, f32, RoundingModel::worst_case, problem.k) == HUGE_VAL);
  CHECK(independent_growth(statistical, f32, RoundingModel::exact, problem.k) == HUGE_VAL);
  AccumulationModel truncating = f32;
  truncating.truncating = true;
  CHECK(independent_growth(statistical, truncating, RoundingModel::statistical, problem.k) == HUGE_VAL);
}
