#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include "assay/formats/interchange.hpp"
#include "assay/formats/small_formats.hpp"

/// CUDA's number types are formats (CUDA 12.8 or newer). Only its headers are needed, neither nvcc nor a GPU. `encode`
/// is Assay's: it rounds double once, whereas CUDA's constructors saturate.

namespace assay::inline v0 {

template <>
struct FormatTraits<__half> : InterchangeTraits<__half, float16> {};
template <>
struct FormatTraits<__nv_bfloat16> : InterchangeTraits<__nv_bfloat16, bfloat16> {};
template <>
struct FormatTraits<__nv_fp8_e4m3> : InterchangeTraits<__nv_fp8_e4m3, float8_e4m3fn> {};
template <>
struct FormatTraits<__nv_fp8_e5m2> : InterchangeTraits<__nv_fp8_e5m2, float8_e5m2> {};
template <>
struct FormatTraits<__nv_fp8_e8m0> : InterchangeTraits<__nv_fp8_e8m0, float8_e8m0fnu> {};
template <>
struct FormatTraits<__nv_fp6_e2m3> : InterchangeTraits<__nv_fp6_e2m3, float6_e2m3fn> {};
template <>
struct FormatTraits<__nv_fp6_e3m2> : InterchangeTraits<__nv_fp6_e3m2, float6_e3m2fn> {};
template <>
struct FormatTraits<__nv_fp4_e2m1> : InterchangeTraits<__nv_fp4_e2m1, float4_e2m1fn> {};

}  // namespace assay::inline v0
