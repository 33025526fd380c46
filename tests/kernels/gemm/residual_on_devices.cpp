#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/formats.hpp"
#include "assay/kernels/gemm/portable.hpp"
#include "assay/kernels/gemm/residual.hpp"
#include "kernels/gemm/device_operands.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

using Bf16 = Gemm<bfloat16, bfloat16, float32, bfloat16>;
using F32 = Gemm<float32, float32, float32, float32>;
using F64 = Gemm<float64, float64, float64, float64>;
using Mixed = Gemm<float8_e4m3fn, bfloat16, float32, float32>;

/// Residuals of one output on the host and on a device.
template <class Op>
struct Both {
  GemmVectors<Op> operands;
  std::vector<typename Op::FormatC> before;
  GemmBound bound;
  GemmResidualOptions options;

  Both(const GemmProblem& problem, FillKind kind)
      : operands(problem, gemm_data<Op>(kind, problem, 1)), before(operands.c) {
    const GemmData data = gemm_data<Op>(kind, problem, 1);
    bound = gemm_bound(problem, accumulation_in<typename Op::Accumulator>(), data.model, data.terms,
                       gemm_needs_double_double<Op>)
                .bound;
    options.seed = 5;
    options.output_is_exact = kind == FillKind::exact_integer && data.model == RoundingModel::exact;
    Host host(2);
    auto stream = host.make_stream().value();
    REQUIRE(portable_gemm<Op>(host, stream, problem, operands.arguments()));
  }
  [[nodiscard]] GemmResidual on_host() {
    Host host(1);
    auto stream = host.make_stream().value();
    auto old = operands.arguments().c;
    old.data = before.data();
    auto found = gemm_residual<Op>(host, stream, operands.problem, operands.arguments(), old, bound, options);
    REQUIRE(found);
    return std::move(found).value();
  }
  [[nodiscard]] GemmResidual on(EmulatedDevice device, Index offset = 0) {
    auto stream = device.make_stream().value();
    GemmOnDevice<Op> there(device, stream, operands, offset);
    OnDevice<typename Op::FormatC> initial(device, stream, before, offset);
    auto old = there.arguments.c;
    old.data = initial.data();
    const TransferCount transfers = device.transfers();
    auto found = gemm_residual<Op>(device, stream, operands.problem, there.arguments, old, bound, options);
    INFO((found ? std::string() : found.error().message));
    REQUIRE(found);
    CHECK(device.transfers().bytes_to_device == transfers.bytes_to_device);
    CHECK(device.transfers().bytes_to_host - transfers.bytes_to_host ==
          found.value().rows.size() * sizeof(GemmRowResidual));  // no tensor
    CHECK(device.misuses() == std::vector<std::string>{});
    return std::move(found).value();
  }
  /// They differ by rounding only, and where the host's vectors end in zeros, whose spacings it counts.
  void check(Index offset = 0) {
    const GemmResidual here = on_host();
    const double tiny = 100 * min_subnormal<typename Op::FormatC>();
    for (const ThreadOrder order : {ThreadOrder::ascending, ThreadOrder::descending}) {
      const GemmResidual there = on(device_in(order), offset);
      REQUIRE(there.rows.size() == here.rows.size());
      for (std::size_t row = 0; row < here.rows.size(); ++row) {
        const GemmRowResidual &one = here.rows[row], &other = there.rows[row];
        INFO("row " << row << ": residuals " << one.residual << " and " << other.residual << ", allowances "
                    << one.allowance << " and " << other.allowance);
        REQUIRE(one.state == other.state);
        REQUIRE(one.refuted() == other.refuted());
        REQUIRE(close(one.allowance, other.allowance, 1e-10 * one.allowance + tiny));
        REQUIRE(close(one.spacing, other.spacing, 1e-10 * one.spacing + tiny));
        REQUIRE(close(one.residual, other.residual, 1e-9 * one.allowance + tiny));
      }
    }
  }

 private:
  static bool close(double one, double other, double distance) {
    return one == other || (is_nan(one) && is_nan(other)) || std::fabs(one - other) <= distance;
  }
};

/// Sums of one pass over a matrix of random integers: these are exact in any order.
template <class T, detail::ResidualPass Pass, bool Compensated>
void check_pass(const StridedView<const T, 3>& matrix) {
  using Work = detail::SumResidualBlock<T, Pass, Compensated>;
  using Values = detail::ResidualValues<Compensated>;
  const Index batches = matrix.extents[0], rows = matrix.extents[1], columns = matrix.extents[2],
              stride = detail::residual_stride(columns);
  std::vector<double> weights(static_cast<std::size_t>(batches * stride) * Values::count);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i * 7 % 11) - 5;
  const detail::ResidualGrid grid = detail::ResidualGrid::for_blocks(matrix);
  for (const ThreadOrder order : {ThreadOrder::ascending, ThreadOrder::descending}) {
    std::vector<double> partials(
        static_cast<std::size_t>(batches * grid.tiles() * grid.tile_rows) * Values::partial_count, NAN);
    Host host(1);
    auto stream = host.make_stream().value();
    const auto work =
        Work::of(matrix, grid, weights.data(), static_cast<Index>(Values::count) * stride, partials.data());
    REQUIRE(host.parallel_blocks(stream, static_cast<std::size_t>(batches * grid.tiles()), work, order));
    std::vector<double> sums(static_cast<std::size_t>(batches * detail::residual_stride(rows)) * Values::count, NAN);
    const detail::JoinResidualTiles<T, Pass, Compensated> join{grid, partials.data(), sums.data()};
    REQUIRE(host.parallel_for(stream, static_cast<std::size_t>(batches * detail::residual_stride(rows)), join));
    for (Index s = 0; s < batches; ++s)
      for (Index row = 0; row < rows; ++row)
        for (std::size_t v = 0; v < detail::residual_vectors; ++v) {
          const auto weight = [&](std::size_t value, Index column) {
            return weights[(static_cast<std::size_t>(s) * Values::count + value) * static_cast<std::size_t>(stride) +
                           static_cast<std::size_t>(column)];
          };
          double expected = 0;
          for (Index column = 0; column < columns; ++column)
            expected += decode(matrix(s, row, column)) *
                        (weight(v, column) +
                         (Compensated && Pass == detail::ResidualPass::product ? weight(Values::rest + v, column) : 0));
          INFO(FormatTraits<T>::name() << ' ' << rows << 'x' << columns << " row " << row << " of " << s);
          REQUIRE(sums[(static_cast<std::size_t>(s) * Values::count + v) *
                           static_cast<std::size_t>(detail::residual_stride(rows)) +
                       static_cast<std::size_t>(row)] == expected);
        }
  }
}

template <class T>
void check_passes() {
  std::vector<T> elements(60000);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = encode<T>(static_cast<double>(i * 37 % 13) - 6);
  using View = StridedView<const T, 3>;
  constexpr bool wide = std::is_same_v<T, float64>;
  for (const Index columns : {1, 7, 32, 33, 70, 129})
    for (const View& matrix :
         {View{elements.data(), {2, 5, columns}, {144 * 5, 144, 1}},
          View{elements.data() + 1, {1, 300, columns}, {0, 131, 1}},
          View{elements.data(), {1, 261, columns}, {0, 1, 263}}, View{elements.data(), {2, 9, columns}, {30000, 2, 21}},
          View{elements.data() + 20 * 129, {1, 20, columns}, {0, -129, 1}},
          View{elements.data(), {1, 3, columns}, {0, 0, 1}}}) {
      check_pass<T, detail::ResidualPass::input, wide>(matrix);
      check_pass<T, detail::ResidualPass::product, wide>(matrix);
    }
}

}  // namespace

TEST_CASE("a pass on a device sums rows right in every format and for any strides", "[devices]") {
  check_passes<bfloat16>();
  check_passes<float32>();
  check_passes<float64>();
  check_passes<std::int8_t>();
  check_pass<bfloat16, detail::ResidualPass::product, true>(
      {std::vector<bfloat16>(400, bfloat16(3.0)).data(), {1, 20, 20}, {0, 20, 1}});
}

TEMPLATE_TEST_CASE("on a device, residuals are the host's but for rounding, and accuse the same rows", "[devices]",
                   Bf16, F32, F64, Mixed) {
  GemmProblem plain = gemm_of(33, 70, 90, 2), columns = plain, transposed = plain, spaced = plain, scaled = plain;
  columns.order = StorageOrder::column_major;
  transposed.transpose_a = transposed.transpose_b = true;
  spaced.leading_dimension_a = 104, spaced.leading_dimension_b = 80, spaced.leading_dimension_c = 96,
  spaced.batch_stride_c = 4000;
  scaled.alpha = 0.75, scaled.beta = -1.5;
  for (const GemmProblem& problem : {plain, columns, transposed, spaced, scaled, gemm_of(1, 1, 1), gemm_of(3, 1, 700),
                                     gemm_of(1, 900, 5), gemm_of(300, 2, 3), gemm_of(4, 5, 0), gemm_of(0, 3, 3)})
    for (FillKind kind : {FillKind::normal, FillKind::exact_integer, FillKind::log_uniform}) {
      INFO(name_of(problem) << ' ' << name_of(kind) << ' ' << TestType::formats());
      Both<TestType> both(problem, kind);
      both.check();
      if (both.operands.c.size() < 2) continue;
      auto& element = both.operands.c[both.operands.c.size() / 2];
      element = encode<typename TestType::FormatC>(decode(element) + 1e4);
      both.check(1);
    }
}

TEST_CASE("on a device, what is not finite is undecided, or refuted where it cannot be right", "[devices]") {
  Both<F32> both(gemm_of(10, 20, 30), FillKind::normal);
  both.operands.c[5 * 20 + 3] = std::nanf("");
  both.operands.c[7 * 20 + 19] = -HUGE_VALF;
  both.check();
  both.operands.a[5 * 30 + 1] = HUGE_VALF;
  both.check();
  both.operands.b[4] = std::nanf("");
  both.check();
  const GemmResidual found = both.on(EmulatedDevice());
  for (const GemmRowResidual& row : found.rows) CHECK(row.state == GemmRowState::inputs_not_finite);
}

TEST_CASE("on a device, several rounds of vectors, and refusals of any call", "[devices]") {
  Both<Bf16> both(gemm_of(40, 50, 60), FillKind::exact_integer);
  both.options.vectors = 11;
  both.check();
  both.operands.c[77] = bfloat16(decode(both.operands.c[77]) + 1);
  both.check();

  EmulatedDevice device;
  auto stream = device.make_stream().value();
  GemmOnDevice<Bf16> there(device, stream, both.operands);
  const auto run = [&] {
    return gemm_residual<Bf16>(device, stream, both.operands.problem, there.arguments, there.arguments.c, both.bound,
                               both.options);
  };
  const std::size_t before = device.calls();
  REQUIRE(run());
  const std::size_t calls = device.calls() - before;
  CHECK(calls > 30);
  for (std::size_t call = 0; call < calls; ++call) {
    device.fail_after(call);
    INFO("call " << call << " of " << calls);
    CHECK_FALSE(run());
  }
  CHECK(device.misuses() == std::vector<std::string>{});
}
