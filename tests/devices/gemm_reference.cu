// The reference of matrix products on a device has the host's bits: also that of its matrix units, whose order of sums
// nobody promises.
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/formats.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "devices/device_under_test.hpp"

using namespace assay;
using testing::device_under_test, testing::DeviceUnderTest;

namespace {

template <class Op>
struct Operands {
  std::vector<typename Op::FormatA> a;
  std::vector<typename Op::FormatB> b;

  /// Row-major A and B; rows of A are `padding` elements further apart than they need be.
  Operands(const GemmProblem& problem, FillKind kind)
      : a(static_cast<std::size_t>(problem.m * lead(problem))), b(static_cast<std::size_t>(problem.k * problem.n)) {
    const GemmData data =
        GemmData::make(kind, problem, FormatTraits<typename Op::FormatA>::layout,
                       FormatTraits<typename Op::FormatC>::layout, accumulation_in<typename Op::Accumulator>(), 7);
    for (Index k = 0; k < problem.k; ++k) {
      for (Index i = 0; i < problem.m; ++i)
        a[static_cast<std::size_t>(i * lead(problem) + k)] = encode<typename Op::FormatA>(data.a(i, k));
      for (Index j = 0; j < problem.n; ++j)
        b[static_cast<std::size_t>(k * problem.n + j)] = encode<typename Op::FormatB>(data.b(j, k));
    }
  }
  [[nodiscard]] static Index lead(const GemmProblem& problem) {
    return problem.leading_dimension_a != 0 ? problem.leading_dimension_a : problem.k;
  }
  [[nodiscard]] static typename Op::Arguments arguments(const GemmProblem& problem, const typename Op::FormatA* a,
                                                        const typename Op::FormatB* b) {
    return {{a, {1, problem.m, problem.k}, {0, lead(problem), 1}},
            {b, {1, problem.k, problem.n}, {0, problem.n, 1}},
            {nullptr, {1, problem.m, problem.n}, {0, problem.n, 1}}};
  }
};

/// r and E of both, by the same scales.
template <class Op>
void require_the_host_s(const GemmProblem& problem, FillKind kind, GemmScales scales) {
  const Operands<Op> operands(problem, kind);
  GemmBound bound;
  bound.growth = 1;  // shows |A||B| through E
  bound.accumulator_max = max_finite<float64>();
  Host host;
  auto host_stream = host.make_stream();
  auto here = gemm_reference<Op>(host, host_stream.value(), problem,
                                 Operands<Op>::arguments(problem, operands.a.data(), operands.b.data()), bound,
                                 {GemmScales::exact});
  REQUIRE(here);

  DeviceUnderTest& device = device_under_test();
  auto stream = device.make_stream();
  REQUIRE(stream);
  auto a = device.template allocate<typename Op::FormatA>(operands.a.size());
  auto b = device.template allocate<typename Op::FormatB>(operands.b.size());
  REQUIRE(a);
  REQUIRE(b);
  REQUIRE(device.copy_to_device(stream.value(), a.value().data(), operands.a.data(), operands.a.size()));
  REQUIRE(device.copy_to_device(stream.value(), b.value().data(), operands.b.data(), operands.b.size()));
  auto there =
      gemm_reference<Op>(device, stream.value(), problem,
                         Operands<Op>::arguments(problem, a.value().data(), b.value().data()), bound, {scales});
  INFO((there ? std::string() : there.error().message));
  REQUIRE(there);
  std::vector<double> value(there.value().value.size()), error(there.value().error.size());
  REQUIRE(device.copy_to_host(stream.value(), value.data(), there.value().value.data(), value.size()));
  REQUIRE(device.copy_to_host(stream.value(), error.data(), there.value().error.data(), error.size()));
  REQUIRE(device.synchronize(stream.value()));
  std::size_t other_bits = 0, too_small = 0, too_large = 0;
  for (std::size_t e = 0; e < value.size(); ++e) {
    const double r = here.value().value.data()[e], exact = here.value().error.data()[e];
    other_bits += is_nan(r) ? !is_nan(value[e]) : detail::bits_of(r) != detail::bits_of(value[e]);
    if (!is_finite(r)) continue;
    too_small += error[e] < exact * (1 - 0x1p-40);
    too_large += scales == GemmScales::exact && error[e] > exact * (1 + 0x1p-40);
  }
  INFO(Op::formats() << " " << name_of(problem) << " " << name_of(kind)
                     << (scales == GemmScales::exact ? " exact" : " bounded"));
  CHECK(other_bits == 0);
  CHECK(too_small == 0);
  CHECK(too_large == 0);
}

template <class Op>
void require_the_host_s() {
  // so many outputs that large tiles are taken, and what that costs where a thread of the host is the device
  const bool emulated = device_under_test().capabilities().concurrency < 1024;
  GemmProblem small, large;
  small.m = 50, small.n = 33, small.k = 100;
  large.m = emulated ? 140 : 2050, large.n = emulated ? 70 : 1300, large.k = 200;
  GemmProblem padded = large;
  padded.leading_dimension_a = 203;
  for (const GemmProblem& problem : {small, large, padded})
    for (const FillKind kind : {FillKind::normal, FillKind::log_uniform, FillKind::special})
      for (const GemmScales scales : {GemmScales::exact, GemmScales::bounded})
        require_the_host_s<Op>(problem, kind, scales);
}

}  // namespace

TEST_CASE("the reference of bf16 products has the host's bits on a device", "[gemm]") {
  require_the_host_s<Gemm<bfloat16, bfloat16, float32, bfloat16>>();
}
TEST_CASE("the reference of f32 products has the host's bits on a device", "[gemm]") {
  require_the_host_s<Gemm<float32, float32, float32, float32>>();
}
TEST_CASE("the reference of f8 and f16 products has the host's bits on a device", "[gemm]") {
  require_the_host_s<Gemm<float8_e4m3fn, float16, float32, float32>>();
}
