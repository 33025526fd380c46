// Every number format in a kernel: concepts do not check the execution space, only compiling does.
#include <cstddef>

#include "assay/formats.hpp"
#include "device_launch.hpp"

namespace {

using assay::testing::launch;

template <class T>
struct RoundTrip {
  double* values;
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    values[index] =
        assay::decode(assay::encode<T>(values[index], assay::Rounding::toward_positive, assay::Overflow::saturate));
  }
};

template <class T>
struct Neighbors {
  double* values;
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const T value = assay::encode<T>(values[index]);
    if (assay::ulp_distance(value, assay::flush_subnormal(value)) < 2 && !assay::is_nan(value))
      values[index] =
          assay::decode(assay::next_up(value)) - assay::decode(assay::next_down(value)) + assay::max_finite<T>();
  }
};

template <class T>
struct Dither {
  double* values;
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    values[index] = assay::decode(assay::encode_stochastic<T>(values[index], static_cast<std::uint32_t>(index), 8));
  }
};

template <class T>
struct Pack {
  assay::PackedView<T> packed;
  const double* values;
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    packed.set(static_cast<assay::Index>(index), assay::encode<T>(values[index]));
  }
};

template <class... Formats>
void launch_formats() {
  launch<RoundTrip<Formats>...>();
}
template <class... Formats>
void launch_float_formats() {
  launch_formats<Formats...>();
  launch<Neighbors<Formats>...>();
}

}  // namespace

void launch_every_format() {
  launch_formats<std::int8_t, std::uint8_t, assay::int4_t, assay::uint2_t, assay::nf4>();
  launch<Dither<assay::float8_e5m2>, Dither<assay::int4_t>, Pack<assay::float6_e3m2fn>, Pack<assay::nf4>>();
  launch_float_formats<assay::tfloat32, assay::float16, assay::float8_e4m3fn, assay::float8_e5m2fnuz,
                       assay::float8_e8m0fnu, assay::float4_e2m1fn>();
}
