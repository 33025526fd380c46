#pragma once

#include <algorithm>
#include <string>
#include <type_traits>

#include "assay/formats/small_formats.hpp"
#include "assay/formats/tfloat32.hpp"
#include "assay/tolerance/accumulation_model.hpp"

namespace assay::inline v0::detail {

template <class T>
inline constexpr bool is_eight_bit_float = std::is_same_v<T, float8_e4m3fn> || std::is_same_v<T, float8_e5m2>;

/// What tensor cores promise of sums in float32, from compute capability 8.0 on. They add some products at once, cut
/// off what lies below the last bit that they keep of the largest, and cut the sum to float32: a whole unit in the last
/// place, with a bias. Products at once: 4 of TF32 and 8 of 16 bits on sm_80, twice that on sm_90; the smaller here,
/// since more additions are more errors. Sources: Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor
/// cores" (2021); MMA-Sim (2025), which has at least 24 fraction bits since Ampere.
[[nodiscard]] constexpr AccumulationModel tensor_core_sums(Index products) {
  AccumulationModel model = accumulation_in<float32>();
  model.format_name = "f32, cut by tensor cores";
  model.unit_roundoff = 0x1p-23;
  model.truncating = true;
  model.block = products;
  return model;
}

/// Those of 8-bit numbers on sm_89 and sm_90: products are cut at 13 fraction bits of the largest, and sums kept in as
/// many, until they are added to one in float32 every 128 products, as cuBLASLt does unless
/// CUBLASLT_MATMUL_DESC_FAST_ACCUM asks for speed. Sources: MMA-Sim (2025); DeepSeek-V3 (2024), section 3.5.2, for both
/// numbers.
[[nodiscard]] constexpr AccumulationModel eight_bit_tensor_core_sums() {
  AccumulationModel model = tensor_core_sums(32);
  model.format_name = "14 bits, cut by tensor cores";
  model.unit_roundoff = 0x1p-13;
  model.precision = 14;
  model.promotion = 128;
  return model;
}

/// Of a product as cuBLAS computes it.
template <class Input, class Accumulator>
[[nodiscard]] constexpr AccumulationModel cublas_accumulation() {
  if constexpr (is_eight_bit_float<Input>)
    return eight_bit_tensor_core_sums();
  else if constexpr (std::is_same_v<Input, tfloat32>)
    return tensor_core_sums(4);
  else if constexpr (std::is_same_v<Accumulator, float32> && !std::is_same_v<Input, float32>)
    return tensor_core_sums(8);
  else
    return accumulation_in<Accumulator>();
}

}  // namespace assay::inline v0::detail
