// Every functor that a device would run, instantiated in a kernel: concepts do not check the execution space, only compiling does.
#include <cstddef>

#include "assay/backends/host.hpp"
#include "assay/formats.hpp"
#include "assay/validators/gemm_suite.hpp"
#include "assay/validators/quantise_suite.hpp"
#include "device_launch.hpp"

namespace {

using assay::testing::launch;
using assay::testing::launch_reduction;

template <class T>
struct RoundTrip {
  double* values;
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    values[index] = assay::decode(assay::encode<T>(values[index], assay::Rounding::toward_positive, assay::Overflow::saturate));
  }
};

template <class T>
struct Neighbours {
  double* values;
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const T value = assay::encode<T>(values[index]);
    if (assay::ulp_distance(value, assay::flush_subnormal(value)) < 2 && !assay::is_nan(value)) values[index] = assay::decode(assay::next_up(value)) - assay::decode(assay::next_down(value)) + assay::max_finite<T>();
  }
};

template <class T>
struct Dither {
  double* values;
  ASSAY_FUNCTION void operator()(std::size_t index) const { values[index] = assay::decode(assay::encode_stochastic<T>(values[index], static_cast<std::uint32_t>(index), 8)); }
};

template <class T>
struct Pack {
  assay::PackedView<T> packed;
  const double* values;
  ASSAY_FUNCTION void operator()(std::size_t index) const { packed.set(static_cast<assay::Index>(index), assay::encode<T>(values[index])); }
};

template <class... Formats>
void launch_formats() {
  launch<RoundTrip<Formats>...>();
}
template <class... Formats>
void launch_float_formats() {
  launch_formats<Formats...>();
  launch<Neighbours<Formats>...>();
}

template <class Op>
void launch_all() {
  using A = typename Op::FormatA;
  using C = typename Op::FormatC;
  using Expected = typename assay::GemmReference<Op, assay::Host>::Expected;
  launch<assay::FillChunk<A, assay::Fill>, assay::FillChunk<A, assay::GemmFill>, assay::detail::WriteBits<C>, assay::detail::ZeroSums,
         assay::detail::PackPanel<A>, assay::detail::MultiplyPanels<assay::gemm_needs_double_double<Op>>,
         assay::detail::FinishReference<C, assay::gemm_needs_double_double<Op>>, assay::PortableGemmElement<Op>>();
  launch_reduction<assay::detail::PartialComparison, assay::detail::CompareChunk<C, 3, Expected, assay::ChosenTolerance>>();
  launch_reduction<assay::detail::Tally, assay::detail::FingerprintChunk<A>>();
  launch_reduction<assay::detail::Tally, assay::detail::CountPoison<C>>();
}

template <class T>
void launch_quantisers() {
  launch<assay::FillChunk<T, assay::QuantiseFill>, assay::detail::FindExtremes<T>, assay::detail::QuantiseBlock<T>, assay::PortableQuantiseBlock<T>,
         assay::PortableDequantiseRow<T>, assay::detail::ClearRows, assay::detail::MarkCodes, assay::detail::MarkScales, assay::detail::FillCodes,
         assay::detail::FillScales>();
  launch_reduction<assay::BlockExtremes, assay::detail::JoinExtremes>();
  launch_reduction<assay::detail::FloatExtremes, assay::detail::RowExtremes<T>>();
  launch_reduction<assay::QuantiseJudgement, assay::detail::JudgeBlocks<T>>();
  launch_reduction<assay::QuantiseJudgement, assay::detail::JudgePadding>();
  launch_reduction<assay::detail::ByteTally, assay::detail::CountBytes>();
  launch_reduction<assay::detail::ByteTally, assay::detail::CountOutputPoison<T>>();
  launch_reduction<assay::detail::PartialComparison, assay::detail::CompareChunk<T, 2, assay::DequantiseExpected, assay::DerivedTolerance>>();
}

}  // namespace

void launch_every_functor() {
  launch_quantisers<assay::float32>();
  launch_quantisers<assay::bfloat16>();
  launch_formats<std::int8_t, std::uint8_t, assay::int4_t, assay::uint2_t, assay::nf4>();
  launch<Dither<assay::float8_e5m2>, Dither<assay::int4_t>, Pack<assay::float6_e3m2fn>, Pack<assay::nf4>>();
  launch_float_formats<assay::tfloat32, assay::float16, assay::float8_e4m3fn, assay::float8_e5m2fnuz, assay::float8_e8m0fnu, assay::float4_e2m1fn>();
  launch_all<assay::Gemm<assay::bfloat16, assay::bfloat16, assay::float32, assay::bfloat16>>();
  launch_all<assay::Gemm<assay::float16, assay::float16, assay::float32, assay::float32>>();
  launch_all<assay::Gemm<assay::float64, assay::float64, assay::float64, assay::float64>>();
}
