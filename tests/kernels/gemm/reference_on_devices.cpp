#include <array>
#include <limits>
#include <vector>

#include "assay/formats.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "kernels/gemm/device_operands.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

struct Reference {
  std::vector<double> value, error;
  bool exact_scales = true;
};

template <class Op>
Reference on_host(const GemmProblem& problem, const typename Op::Arguments& arguments,
                  GemmScales scales = GemmScales::exact) {
  Host host(1);
  auto stream = host.make_stream().value();
  const auto made = gemm_reference<Op>(host, stream, problem, arguments, magnitude_only(problem), {scales});
  REQUIRE(made);
  const double *value = made.value().value.data(), *error = made.value().error.data();
  return {{value, value + made.value().value.size()},
          {error, error + made.value().error.size()},
          made.value().exact_scales};
}

template <class Op>
Reference on_device(const EmulatedDevice& device, const GemmProblem& problem, GemmVectors<Op>& operands,
                    GemmScales scales, Index offset) {
  auto stream = device.make_stream().value();
  GemmOnDevice<Op> there(device, stream, operands, offset);
  auto mutable_device = device;
  auto made = gemm_reference<Op>(mutable_device, stream, problem, there.arguments, magnitude_only(problem), {scales});
  INFO((made ? std::string() : made.error().message));
  REQUIRE(made);
  return {to_host(device, stream, made.value().value.data(), made.value().value.size()),
          to_host(device, stream, made.value().error.data(), made.value().error.size()), made.value().exact_scales};
}

void require_same_bits(const std::vector<double>& one, const std::vector<double>& other) {
  REQUIRE(one.size() == other.size());
  for (std::size_t e = 0; e < one.size(); ++e) {
    INFO("element " << e);
    if (is_nan(other[e]))
      REQUIRE(is_nan(one[e]));
    else
      REQUIRE(detail::bits_of(one[e]) == detail::bits_of(other[e]));
  }
}

/// r has the host's bits; E, too, where scales are exact, and is never below it where they are not.
template <class Op>
void check_device(const GemmProblem& problem, FillKind kind, Index offset = 0) {
  GemmVectors<Op> operands(problem, gemm_data<Op>(kind, problem, 11));
  const Reference expected = on_host<Op>(problem, operands.arguments());
  for (const ThreadOrder order : {ThreadOrder::ascending, ThreadOrder::descending}) {
    const EmulatedDevice device = device_in(order);
    for (const GemmScales scales : {GemmScales::exact, GemmScales::bounded}) {
      INFO(name_of(problem) << ' ' << name_of(kind) << ' ' << Op::formats()
                            << (scales == GemmScales::exact ? " exact" : " bounded"));
      const Reference found = on_device<Op>(device, problem, operands, scales, offset);
      require_same_bits(found.value, expected.value);
      if (problem.batch == 1)
        CHECK(found.exact_scales == on_host<Op>(problem, operands.arguments(), scales).exact_scales);
      for (std::size_t e = 0; e < found.error.size(); ++e) {
        if (!is_finite(expected.value[e])) continue;
        const double slack = 0x1p-45 * expected.error[e];
        REQUIRE(found.error[e] >= expected.error[e] - slack);
        if (scales == GemmScales::exact)
          REQUIRE(
              (found.error[e] == expected.error[e] || detail::absolute(found.error[e] - expected.error[e]) <= slack));
      }
    }
    CHECK(device.misuses() == std::vector<std::string>{});
  }
}

/// Both tiles of a product of given views on the host, against sums in ascending k.
template <class Tile, class A, class B>
void check_tile(const StridedView<const A, 3>& a, const StridedView<const B, 3>& b, ThreadOrder order) {
  const Index batches = a.extents[0], m = a.extents[1], n = b.extents[2], k = a.extents[2];
  Host host(1);
  auto stream = host.make_stream().value();
  using Work = detail::MultiplyTiles<A, B, Tile>;
  for (const bool magnitudes : {false, true}) {
    std::vector<double> results(static_cast<std::size_t>(batches * m * n), -1), expected;
    for (Index s = 0; s < batches; ++s)
      for (Index i = 0; i < m; ++i)
        for (Index j = 0; j < n; ++j) {
          double sum = 0;
          for (Index t = 0; t < k; ++t) {
            const double product = decode(a(s, i, t)) * decode(b(s, t, j));
            sum += magnitudes ? detail::absolute(product) : product;
          }
          expected.push_back(sum);
        }
    const Work work = Work::of(a, b, magnitudes, false, results.data());
    REQUIRE(host.parallel_blocks(stream, static_cast<std::size_t>(work.blocks()), work, order));
    require_same_bits(results, expected);
    // the smaller of what is there and the sum
    for (std::size_t e = 0; e < results.size(); e += 2) results[e] = -1e300;
    Work again = work;
    again.keep_smaller = true;
    REQUIRE(host.parallel_blocks(stream, static_cast<std::size_t>(work.blocks()), again, order));
    for (std::size_t e = 0; e < results.size(); e += 2)
      expected[e] = is_nan(expected[e]) || expected[e] < -1e300 ? expected[e] : -1e300;
    for (std::size_t e = 1; e < results.size(); e += 2) REQUIRE((is_nan(expected[e]) || results[e] == expected[e]));
  }
}

template <class A, class B>
void check_tiles(const StridedView<const A, 3>& a, const StridedView<const B, 3>& b) {
  for (const ThreadOrder order : {ThreadOrder::ascending, ThreadOrder::descending}) {
    check_tile<detail::LargeBlockTile<bfloat16, bfloat16>>(a, b, order);
    check_tile<detail::LargeBlockTile<float64, float64>>(a, b, order);
    check_tile<detail::SmallBlockTile>(a, b, order);
  }
}

template <class T>
std::vector<T> numbers(std::size_t count, Index seed) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = encode<T>(static_cast<double>((static_cast<Index>(i) * 37 + seed * 11) % 29 - 14) / 4);
  return values;
}

}  // namespace

TEST_CASE(
    "on a device, every shape, layout, format and kind of data gives the host's bits, and never too small a bound",
    "[devices]") {
  for (FillKind kind :
       {FillKind::normal, FillKind::log_uniform, FillKind::special, FillKind::subnormal, FillKind::extreme}) {
    for (auto [m, n, k, batch] : {std::array<Index, 4>{1, 1, 1, 1},
                                  {1, 1, 300, 1},
                                  {131, 13, 67, 1},
                                  {25, 67, 49, 2},
                                  {3, 5, 0, 1},
                                  {0, 5, 5, 1},
                                  {5, 0, 5, 1},
                                  {5, 5, 5, 0}}) {
      GemmProblem problem = gemm_of(m, n, k, batch);
      check_device<Gemm<float32, float32, float32, float32>>(problem, kind);
      problem.transpose_a = problem.transpose_b = true;
      check_device<Gemm<bfloat16, bfloat16, float32, bfloat16>>(problem, kind, 1);
      problem.order = StorageOrder::column_major;
      problem.transpose_a = false;
      problem.alpha = 0.75;
      problem.beta = -1.5;
      check_device<Gemm<float16, float16, float32, float16>>(problem, kind);
      problem.leading_dimension_a = m + 3;
      if (m < 100) check_device<Gemm<float64, float64, float64, float64>>(problem, kind);
    }
  }
}

TEST_CASE("on a device, small formats and mixed ones give the host's bits", "[devices]") {
  GemmProblem problem = gemm_of(33, 70, 130, 2);
  check_device<Gemm<float8_e4m3fn, float8_e5m2, float32, bfloat16>>(problem, FillKind::normal);
  problem.transpose_b = true;
  problem.leading_dimension_b = 144;
  check_device<Gemm<float8_e4m3fn, bfloat16, float32, float32>>(problem, FillKind::normal, 8);
  problem.leading_dimension_a = 136;
  problem.batch_stride_a = 33 * 136 + 8;
  check_device<Gemm<bfloat16, float32, float32, float32>>(problem, FillKind::log_uniform);
}

TEST_CASE("tiles of any two strides, aligned or not, hold what their views hold", "[devices]") {
  const auto a16 = numbers<bfloat16>(20000, 1);
  const auto b32 = numbers<float32>(20000, 2);
  const auto b8 = numbers<std::int8_t>(20000, 3);
  const auto b64 = numbers<float64>(20000, 4);
  using View16 = StridedView<const bfloat16, 3>;
  // rows contiguous, columns contiguous, every third element, reversed rows, one row for all, one element for all
  for (const View16& a :
       {View16{a16.data(), {1, 70, 40}, {0, 40, 1}}, View16{a16.data() + 1, {1, 70, 40}, {0, 1, 72}},
        View16{a16.data(), {1, 70, 40}, {0, 3, 211}}, View16{a16.data() + 69 * 40, {1, 70, 40}, {0, -40, 1}},
        View16{a16.data(), {1, 70, 40}, {0, 0, 1}}, View16{a16.data(), {1, 70, 40}, {0, 0, 0}}}) {
    check_tiles(a, StridedView<const float32, 3>{b32.data(), {1, 40, 36}, {0, 36, 1}});
    check_tiles(a, StridedView<const float32, 3>{b32.data() + 3, {1, 40, 33}, {0, 1, 44}});
    check_tiles(a, StridedView<const std::int8_t, 3>{b8.data(), {1, 40, 16}, {0, 16, 1}});
  }
  check_tiles(StridedView<const bfloat16, 3>{a16.data(), {3, 17, 16}, {16 * 24, 24, 1}},
              StridedView<const float64, 3>{b64.data(), {3, 16, 5}, {90, 5, 1}});
}

TEST_CASE("infinities and NaN beside a tile's end stay where they are", "[devices]") {
  // what lies between rows must not get into sums, not even times zero
  std::vector<float32> a(40 * 24, std::numeric_limits<float>::infinity()),
      b(20 * 40, std::numeric_limits<float>::quiet_NaN());
  const StridedView<const float32, 3> left{a.data(), {1, 40, 19}, {0, 24, 1}}, right{b.data(), {1, 19, 35}, {0, 40, 1}};
  for (Index i = 0; i < 40; ++i)
    for (Index k = 0; k < 19; ++k) a[static_cast<std::size_t>(i * 24 + k)] = static_cast<float>(i - k);
  for (Index k = 0; k < 19; ++k)
    for (Index j = 0; j < 35; ++j) b[static_cast<std::size_t>(k * 40 + j)] = static_cast<float>(k - j);
  check_tiles(left, right);
}

TEST_CASE("on a device, scales that differ along k, and disjoint supports, do not loosen the bound beyond reason",
          "[devices]") {
  using Op = Gemm<float32, float32, float32, float32>;
  const GemmProblem problem = gemm_of(70, 66, 1024);
  GemmVectors<Op> operands(problem);
  const EmulatedDevice device;
  const auto looseness = [&](auto scale_a, auto scale_b) {
    operands.set(
        [&](Index, Index i, Index k) { return scale_a(k) * (1 + static_cast<double>((i * 31 + k * 17) % 8) / 8); },
        [&](Index, Index k, Index j) { return scale_b(k) * (1 + static_cast<double>((j * 13 + k * 29) % 8) / 8); },
        [](Index, Index, Index) { return 0.0; });
    const Reference exact = on_host<Op>(problem, operands.arguments()),
                    bounded = on_device<Op>(device, problem, operands, GemmScales::bounded, 0);
    double worst = 0;
    for (std::size_t e = 0; e < exact.error.size(); ++e) {
      REQUIRE(bounded.error[e] >= exact.error[e] * (1 - 0x1p-40));
      worst = std::fmax(worst, bounded.error[e] / exact.error[e]);
    }
    return worst;
  };
  CHECK(looseness([](Index) { return 1.0; }, [](Index) { return 1.0; }) < 1.2);
  CHECK(looseness([](Index k) { return k % 64 == 0 ? 1000.0 : 1.0; }, [](Index) { return 1.0; }) < 2);
  CHECK(looseness([](Index k) { return k < 512 ? 1.0 : 0x1p-20; }, [](Index k) { return k < 512 ? 0x1p-20 : 1.0; }) <
        1.3);
}

TEST_CASE("on a device, beta = 0 does not read C, and a reference reports what the device refuses", "[devices]") {
  using Op = Gemm<bfloat16, bfloat16, float32, float32>;
  const GemmProblem problem = gemm_of(20, 30, 40);
  GemmVectors<Op> operands(problem, gemm_data<Op>(FillKind::normal, problem, 3));
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  GemmOnDevice<Op> there(device, stream, operands);
  there.arguments.c.data = nullptr;
  CHECK(gemm_reference<Op>(device, stream, problem, there.arguments, magnitude_only(problem), {GemmScales::bounded}));
  // every call of the way fails once: none of it is overlooked
  const std::size_t before = device.calls();
  REQUIRE(gemm_reference<Op>(device, stream, problem, there.arguments, magnitude_only(problem), {GemmScales::bounded}));
  const std::size_t calls = device.calls() - before;
  CHECK(calls > 8);
  for (std::size_t call = 0; call < calls; ++call) {
    device.fail_after(call);
    INFO("call " << call << " of " << calls);
    CHECK_FALSE(
        gemm_reference<Op>(device, stream, problem, there.arguments, magnitude_only(problem), {GemmScales::bounded}));
  }
  CHECK(device.misuses() == std::vector<std::string>{});
}
