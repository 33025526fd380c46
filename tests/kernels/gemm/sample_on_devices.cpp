#include <cmath>
#include <limits>
#include <vector>

#include "assay/formats.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "assay/kernels/gemm/sample.hpp"
#include "kernels/gemm/device_operands.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// Twice the precision of double, and what E says of that, whatever the order of sums.
template <class Op>
void check_sample(const GemmProblem& problem, FillKind kind) {
  GemmVectors<Op> operands(problem, gemm_data<Op>(kind, problem, 4));
  const GemmData data = gemm_data<Op>(kind, problem, 4);
  const GemmBound bound = gemm_bound(problem, accumulation_in<typename Op::Accumulator>(), data.model, data.terms,
                                     gemm_needs_double_double<Op>)
                              .bound;
  const std::vector<GemmPosition> positions = gemm_sample_places(problem, 60, 9).positions;
  Host host(1);
  auto host_stream = host.make_stream().value();
  auto here = gemm_sample<Op>(host, host_stream, operands.arguments(), operands.arguments().c, positions, bound);
  REQUIRE(here);
  for (const ThreadOrder order : {ThreadOrder::ascending, ThreadOrder::descending}) {
    EmulatedDevice device = device_in(order);
    auto stream = device.make_stream().value();
    GemmOnDevice<Op> there(device, stream, operands);
    auto sample = gemm_sample<Op>(device, stream, there.arguments, there.arguments.c, positions, bound);
    INFO(name_of(problem) << ' ' << name_of(kind) << ' ' << (sample ? std::string() : sample.error().message));
    REQUIRE(sample);
    REQUIRE(sample.value().size == here.value().size);
    const auto actual = to_host(device, stream, sample.value().actual.data(), positions.size());
    const auto value = to_host(device, stream, sample.value().value.data(), positions.size()),
               error = to_host(device, stream, sample.value().error.data(), positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto exact = operands.exact(positions[i].batch, positions[i].row, positions[i].column);
      const double r = here.value().value.data()[i], e = here.value().error.data()[i];
      INFO("element " << i << ": " << r << " and " << value[i]);
      REQUIRE(FormatTraits<typename Op::FormatC>::to_bits(actual[i]) ==
              FormatTraits<typename Op::FormatC>::to_bits(here.value().actual.data()[i]));
      if (is_nan(r)) {
        REQUIRE(is_nan(value[i]));
        continue;
      }
      if (is_finite(r)) {
        const Quad distance = static_cast<Quad>(value[i]) - exact.value;
        REQUIRE((distance < 0 ? -distance : distance) <= static_cast<Quad>(0x1p-53) * static_cast<Quad>(std::fabs(r)) +
                                                             static_cast<Quad>(0x1p-90) * exact.magnitude);
      } else {
        REQUIRE(value[i] == r);
      }
      REQUIRE((error[i] == e || std::fabs(error[i] - e) <= 1e-10 * e));
    }
    CHECK(device.misuses() == std::vector<std::string>{});
  }
}

}  // namespace

TEST_CASE("on a device, a sample has exact sums and the host's bounds", "[devices]") {
  for (FillKind kind : {FillKind::normal, FillKind::canceling, FillKind::special}) {
    GemmProblem problem = gemm_of(20, 30, 333, 2);
    check_sample<Gemm<bfloat16, bfloat16, float32, bfloat16>>(problem, kind);
    problem.transpose_a = true;
    problem.alpha = -0.7;
    problem.beta = 1.3;
    check_sample<Gemm<float32, float32, float32, float32>>(problem, kind);
    check_sample<Gemm<float64, float64, float64, float64>>(problem, kind);
    check_sample<Gemm<float16, float16, float32, float16>>(gemm_of(3, 2, 0), kind);
  }
}

TEST_CASE("on a device, what is not finite is found wherever it stands, in rows or columns, aligned or not",
          "[devices]") {
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  const auto check = [&](auto format, Index rows, Index columns, Index row_stride, Index column_stride, Index offset) {
    using T = decltype(format);
    std::vector<T> elements(3000, encode<T>(1.0));
    const StridedView<T, 3> view{elements.data(), {2, rows, columns}, {1400, row_stride, column_stride}};
    Host host(1);
    auto host_stream = host.make_stream().value();
    for (const double special : {static_cast<double>(NAN), HUGE_VAL, -HUGE_VAL}) {
      for (Index i = 0; i < rows; i += 2)
        for (Index j = i % 7; j < columns; j += 11 + i) view(i / 2 % 2, i, j) = encode<T>(special);
      const StridedView<const T, 3> here(view);
      OnDevice<T> memory(device, stream, elements, offset);
      StridedView<const T, 3> there = here;
      there.data = memory.data();
      for (const Index limit : {Index{3}, Index{1000}}) {
        const auto expected = find_nonfinite(host, host_stream, here, limit),
                   found = find_nonfinite(device, stream, there, limit);
        REQUIRE(expected);
        REQUIRE(found);
        CHECK(expected.value().count > 0);
        CHECK(found.value().count == expected.value().count);
        CHECK(found.value().positions == expected.value().positions);
      }
    }
  };
  check(bfloat16{}, 5, 260, 264, 1, 0);
  check(bfloat16{}, 5, 260, 264, 1, 1);
  check(bfloat16{}, 140, 9, 1, 144, 0);
  check(float32{}, 9, 131, 140, 1, 0);
  check(float64{}, 9, 3, 7, 2, 0);
  check(float16{}, 1, 1, 1, 1, 0);
  check(float8_e5m2{}, 4, 300, 304, 1, 0);
  CHECK(device.misuses() == std::vector<std::string>{});
}

TEST_CASE("on a device, a refusal of any call of a sample is reported, and no work is left behind", "[devices]") {
  using Op = Gemm<bfloat16, bfloat16, float32, float32>;
  const GemmProblem problem = gemm_of(6, 7, 30);
  GemmVectors<Op> operands(problem, gemm_data<Op>(FillKind::normal, problem, 4));
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  GemmOnDevice<Op> there(device, stream, operands);
  const std::vector<GemmPosition> positions = gemm_sample_places(problem, 20, 9).positions;
  const auto run = [&]() -> bool {
    return gemm_sample<Op>(device, stream, there.arguments, there.arguments.c, positions, GemmBound{}).has_value() &&
           find_nonfinite(device, stream, StridedView<const float32, 3>(there.arguments.c), 9).has_value();
  };
  const std::size_t before = device.calls();
  REQUIRE(run());
  const std::size_t calls = device.calls() - before;
  for (std::size_t call = 0; call < calls; ++call) {
    device.fail_after(call);
    INFO("call " << call << " of " << calls);
    CHECK_FALSE(run());
  }
  CHECK(device.misuses() == std::vector<std::string>{});
}
