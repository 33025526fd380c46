#include "assay/profile/profile_gemm.hpp"

#include <algorithm>

#include "assay/backends/emulated_device.hpp"
#include "assay/faults/emulated_gemm.hpp"
#include "assay/profile/simulated_unit.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

using Single = Gemm<float, float, float, float>;
using Brain = Gemm<bfloat16, bfloat16, float, float>;

GemmProfileOptions quick(Index terms = 64, Index tile = 16) {
  GemmProfileOptions options;
  options.sums.terms = terms;
  options.sums.further_terms = {0};
  options.tile = tile;
  return options;
}

/// The share of a product that two kernels give other bits for.
template <class Op>
double differing(const GemmSubject<Op>& one, const GemmSubject<Op>& other, Index k) {
  Host host(1);
  auto stream = host.make_stream().value();
  const auto code = [](std::uint64_t seed, Index lane, Index position) {
    return FormatTraits<typename Op::FormatA>::to_bits(
        encode<typename Op::FormatA>(detail::probing_number(seed, lane, position)));
  };
  const auto codes = [&](const GemmSubject<Op>& subject) {
    return detail::gemm_codes<Op>(
               host, stream, subject, GemmProblem{.m = 20, .n = 24, .k = k}, 0,
               [&](Index row, Index position) { return code(91, row, position); },
               [&](Index position, Index column) { return code(92, column, position); })
        .value();
  };
  const auto left = codes(one), right = codes(other);
  double found = 0;
  for (std::size_t i = 0; i < left.size(); ++i) found += left[i] == right[i] ? 0 : 1;
  return found / static_cast<double>(left.size());
}

template <class Op>
MatrixUnitModel oracle_of(const NumericProfile& profile) {
  return model_of(profile, element_format<typename Op::FormatA>(), element_format<typename Op::FormatB>(),
                  element_format<typename Op::FormatC>())
      .value();
}

}  // namespace

TEST_CASE("The orders of emulated kernels are found from launches, and the profile's oracle gives their bits") {
  const std::pair<SummationOrder, SummationShape> orders[] = {
      {SummationOrder::sequential, {}},
      {SummationOrder::reversed, {.chain = SummationChain::descending}},
      {SummationOrder::pairwise, {.chain = SummationChain::pairwise, .base = 8}},
      {SummationOrder::split_2, {.parts = 2}},
      {SummationOrder::split_8, {.parts = 8}},
      {SummationOrder::truncating_blocks, {.fused = 16}}};
  for (const auto& [order, shape] : orders) {
    const auto subject = emulated_gemm_subject<Single>(order);
    const auto profile = profile_gemm<Single>(Host(1), subject, quick());
    INFO(name_of(order));
    REQUIRE(profile);
    REQUIRE(profile.value().order);
    CHECK(*profile.value().order == shape);
    CHECK(profile.value().accumulator.value == FormatTraits<float32>::layout);
    const bool unit = order == SummationOrder::truncating_blocks;
    CHECK(profile.value().sum_rounding.value == (unit ? UnitRounding::toward_zero : UnitRounding::nearest_even));
    CHECK(profile.value().aligned_bits.value == (unit ? detail::matrix_unit_bits - 1 : -1));
    if (!unit) CHECK(profile.value().products.value == UnitProducts::rounded);
    for (const LaunchComparison& launch : profile.value().launches) CHECK(launch.differing == 0.0);
    CHECK(profile.value().launches.size() == 11);
    if (unit) continue;  // products of float32 are longer than the double in which it is emulated adds them
    CHECK(differing<Single>(subject, simulated_gemm_subject<Single>(oracle_of<Single>(profile.value())), 64) == 0);
    CHECK(differing<Single>(subject, simulated_gemm_subject<Single>(oracle_of<Single>(profile.value())), 100) == 0);
  }
}

TEST_CASE("A simulated matrix unit and the unit of its profile agree to the bit on random data") {
  MatrixUnitModel model;
  model.order.fused = 8;
  model.aligned_bits = 25;
  model.sum_rounding = UnitRounding::toward_zero;
  const auto subject = simulated_gemm_subject<Brain>(model);
  const auto profile = profile_gemm<Brain>(Host(1), subject, quick(32, 8));
  REQUIRE(profile);
  const MatrixUnitModel found = oracle_of<Brain>(profile.value());
  CHECK(differing<Brain>(subject, simulated_gemm_subject<Brain>(found), 200) == 0);
  MatrixUnitModel other = found;
  other.aligned_bits = 23;
  CHECK(differing<Brain>(subject, simulated_gemm_subject<Brain>(other), 200) > 0.1);
}

TEST_CASE("Kernels that compute otherwise in some places or launches are told") {
  GemmSubject<Single> edges = emulated_gemm_subject<Single>(SummationOrder::sequential);
  edges.run = [inner = edges.run, reversed = emulated_gemm_subject<Single>(SummationOrder::reversed).run](
                  const GemmProblem& problem, const Single::Arguments& arguments) -> Result<void> {
    if (problem.batch > 1) return failure(ErrorKind::unsupported, "no batches");
    if (problem.m == 1) return reversed(problem, arguments);
    if (auto run = inner(problem, arguments); !run) return run;
    Single::Arguments last = arguments;  // the last four rows
    last.a.data += (problem.m - 4) * last.a.strides[1];
    last.c.data += (problem.m - 4) * last.c.strides[1];
    last.a.extents[1] = last.c.extents[1] = 4;
    return reversed(problem, last);
  };
  const auto profile = profile_gemm<Single>(Host(1), edges, quick());
  REQUIRE(profile);
  CHECK(profile.value().order.value == SummationShape{});  // of most places
  const auto launch = [&](const std::string& name) {
    for (const LaunchComparison& found : profile.value().launches)
      if (found.launch == name) return found;
    return LaunchComparison{};
  };
  CHECK(launch("elsewhere in the same launch, from equal rows and columns").differing == 0.25);
  CHECK(launch("one row").differing.value_or(0) > 0.5);
  CHECK(launch("one column").differing == 0.0);
  CHECK(launch("the last of three in a batch").note == "no batches");
  CHECK(!launch("the last of three in a batch").differing);
}

TEST_CASE("Products of fewer than two rows and columns cannot be profiled") {
  CHECK_THROWS_WITH(
      profile_gemm<Single>(Host(1), emulated_gemm_subject<Single>(SummationOrder::sequential), quick(64, 1)),
      "a profile with products of 1 rows and columns was asked for; they need at least 2");
}

TEST_CASE(
    "The profile of a kernel on a device, whose memory the host may not touch, is that of the same kernel on the "
    "host") {
  const EmulatedDevice device;
  const auto there = profile_gemm<Single>(device, portable_gemm_subject<Single>(device), quick());
  const auto here = profile_gemm<Single>(Host(1), portable_gemm_subject<Single>(Host(1)), quick());
  REQUIRE(there);
  REQUIRE(here);
  CHECK(there.value().order.value == here.value().order.value);
  CHECK(compare_profiles(here.value(), there.value()).rows.empty());
  CHECK(device.transfers().copies_to_host > 0);
  CHECK(device.misuses().empty());
}

TEST_CASE("A unit that takes B only as n×k is profiled by such products, and refuses the others") {
  auto subject = portable_gemm_subject<Single>(Host(1));
  subject.run = [own = subject.run](const GemmProblem& problem, const Single::Arguments& arguments) -> Result<void> {
    if (!problem.transpose_b) return failure(ErrorKind::unsupported, "B is to be stored n×k");
    return own(problem, arguments);
  };
  GemmProfileOptions options = quick();
  const auto refused = profile_gemm<Single>(Host(1), subject, options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::unsupported);
  options.transpose_b = true;
  const auto profile = profile_gemm<Single>(Host(1), subject, options);
  REQUIRE(profile);
  CHECK(profile.value().order.value == SummationShape{});
  const auto other = std::find_if(profile.value().launches.begin(), profile.value().launches.end(),
                                  [](const LaunchComparison& launch) { return launch.launch == "B not transposed"; });
  REQUIRE(other != profile.value().launches.end());
  CHECK_FALSE(other->differing);
}
