#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "assay/formats/element_format.hpp"
#include "assay/tolerance/absolute_relative.hpp"

/// What others accept, each rule as its source states it. All are given the same outputs and the same reference:
/// float64, rounded once to the output's format, which is better than any of them computes.
namespace detection {

using assay::ElementFormat;

/// An output as a rule sees it.
struct Judged {
  ElementFormat format;
  double accumulator_roundoff = 0x1p-24;
  double terms = 1;  ///< of a sum
  const std::vector<double>& output;
  const std::vector<double>& reference;  ///< rounded to the output's format
  const std::vector<double>& twin;       ///< another right kernel of the same formats

  [[nodiscard]] double by_format(double f32, double f16, double bf16) const {
    return format.bytes == 4 ? f32 : format.layout.fraction_bits == 10 ? f16 : bf16;
  }
};

/// Inputs that a tool tests with.
enum class Inputs { normal, uniform, integers };

struct Rule {
  std::string_view name;
  Inputs inputs;
  bool (*accuses)(const Judged& judged);
  std::string_view definition, source;
};

/// numpy's and PyTorch's isclose: equal, or finite and |a − e| ≤ atol + rtol·|e|; NaN equals nothing.
inline bool any_beyond(const Judged& judged, double absolute, double relative) {
  for (std::size_t i = 0; i < judged.output.size(); ++i) {
    const double a = judged.output[i], e = judged.reference[i];
    if (a == e) continue;
    if (!(std::isfinite(a) && std::isfinite(e) && std::abs(a - e) <= absolute + relative * std::abs(e))) return true;
  }
  return false;
}

inline bool preset(const Judged& judged, double factor) {
  const std::array<double, 2> normal = judged.format.bytes == 4                   ? std::array{1e-5, 1e-4}
                                       : judged.format.layout.fraction_bits == 10 ? std::array{1e-3, 1e-2}
                                                                                  : std::array{1e-2, 5e-2};
  return any_beyond(judged, normal[0] * factor, normal[1] * factor);
}

/// composable_kernel's thresholds: the largest of half an ulp of the inputs' and the output's format and the
/// accumulator's times the terms, absolutely of the largest result.
inline bool composable_kernel(const Judged& judged) {
  double largest = 0;
  for (const double value : judged.reference)
    largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  const double relative = std::max(judged.format.unit_roundoff(), judged.terms * judged.accumulator_roundoff),
               absolute = relative * largest;
  for (std::size_t i = 0; i < judged.output.size(); ++i) {
    const double a = judged.output[i], e = judged.reference[i];
    if (std::abs(a - e) > absolute + relative * std::abs(e) || !std::isfinite(a) || !std::isfinite(e)) return true;
  }
  return false;
}

inline bool cutlass(const Judged& judged) {
  constexpr double epsilon = 0.05, floor = 1.0 / 256;
  for (std::size_t i = 0; i < judged.output.size(); ++i) {
    const double a = judged.output[i], e = judged.reference[i], difference = std::abs(a - e);
    if (a == e) continue;
    const bool small = a == 0 || e == 0 || std::abs(a) + std::abs(e) < floor;
    if (!(difference < epsilon * (small ? floor : std::abs(a) + std::abs(e)))) return true;
  }
  return false;
}

inline bool xla(const Judged& judged) {
  for (std::size_t i = 0; i < judged.output.size(); ++i) {
    const double a = judged.output[i], e = judged.reference[i];
    if ((std::isnan(a) && std::isnan(e)) || a == e) continue;
    const double error = std::abs(a - e) / (std::max(std::abs(a), std::abs(e)) + 1);
    if (error > 0.1 || std::isnan(error)) return true;
  }
  return false;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (std::isnan(difference) || difference > largest) largest = difference;
    if (std::isnan(largest)) return largest;
  }
  return largest;
}
inline bool flash_attention(const Judged& judged) {
  return !(largest_difference(judged.output, judged.reference) <=
           2 * largest_difference(judged.twin, judged.reference) + 1e-5);
}

inline bool deep_gemm(const Judged& judged) {
  double squares = 0, products = 0;
  for (std::size_t i = 0; i < judged.output.size(); ++i) {
    squares += judged.output[i] * judged.output[i] + judged.reference[i] * judged.reference[i];
    products += judged.output[i] * judged.reference[i];
  }
  return !(1 - 2 * products / squares < 1e-3);
}

inline bool correlation(const Judged& judged) {
  const std::size_t n = judged.output.size();
  bool output_nan = true, reference_nan = true, output_zero = true, reference_zero = true;
  double mean_a = 0, mean_e = 0;
  const auto masked = [](double value) { return std::isfinite(value) ? value : 0; };
  for (std::size_t i = 0; i < n; ++i) {
    output_nan = output_nan && std::isnan(judged.output[i]);
    reference_nan = reference_nan && std::isnan(judged.reference[i]);
    output_zero = output_zero && judged.output[i] == 0;
    reference_zero = reference_zero && judged.reference[i] == 0;
    mean_a += masked(judged.output[i]) / static_cast<double>(n);
    mean_e += masked(judged.reference[i]) / static_cast<double>(n);
  }
  if (output_nan && reference_nan) return false;
  if (output_nan || reference_nan || output_zero != reference_zero) return true;
  if (judged.output == judged.reference) return false;
  double aa = 0, ee = 0, ae = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = masked(judged.output[i]) - mean_a, e = masked(judged.reference[i]) - mean_e;
    aa += a * a;
    ee += e * e;
    ae += a * e;
  }
  return aa > 0 && ee > 0 && !(ae / std::sqrt(aa * ee) >= 0.99);
}

inline constexpr std::array<Rule, 12> rules{{
    {"strict", Inputs::normal, [](const Judged& j) { return preset(j, 0.1); }, "a tenth of *normal*",
     "the preset of this library"},
    {"normal", Inputs::normal, [](const Judged& j) { return preset(j, 1); },
     "atol, rtol: f32 1e-5, 1e-4; f16 1e-3, 1e-2; bf16 1e-2, 5e-2", "the preset of this library"},
    {"relaxed", Inputs::normal, [](const Judged& j) { return preset(j, 10); }, "ten times *normal*",
     "the preset of this library"},
    {"PyTorch", Inputs::normal, [](const Judged& j) { return any_beyond(j, 1e-5, j.by_format(1.3e-6, 1e-3, 1.6e-2)); },
     "atol 1e-5; rtol: f32 1.3e-6, f16 1e-3, bf16 1.6e-2",
     "pytorch/pytorch torch/testing/_comparison.py, defaults of assert_close"},
    {"KernelBench", Inputs::uniform,
     [](const Judged& j) {
       const double tolerance = j.by_format(1e-4, 1e-2, 1e-2);
       return any_beyond(j, tolerance, tolerance);
     },
     "atol = rtol: f32 1e-4, f16 and bf16 1e-2",
     "ScalingIntelligence/KernelBench src/eval.py, get_tolerance_for_precision"},
    {"composable_kernel", Inputs::integers, composable_kernel,
     "rtol = max(u of the formats, n·u of the accumulator), atol = rtol·max|C|",
     "ROCm/composable_kernel include/ck/library/utility/check_err.hpp, get_relative_threshold and "
     "get_absolute_threshold"},
    {"CUTLASS", Inputs::integers, cutlass, "|a - e| < 0.05(|a| + |e|), near zero < 0.05/256",
     "NVIDIA/cutlass include/cutlass/relatively_equal.h with the profiler's epsilon and nonzero floor"},
    {"oneDNN", Inputs::integers, [](const Judged& j) { return any_beyond(j, 0, 0); },
     "exactly equal, on small integers", "uxlfoundation/oneDNN tests/benchdnn/matmul/matmul.cpp: no threshold is set"},
    {"XLA", Inputs::uniform, xla, "|a - e|/(max(|a|, |e|) + 1) ≤ 0.1",
     "openxla/xla xla/service/gpu/buffer_comparator.cc"},
    {"FlashAttention", Inputs::normal, flash_attention,
     "max|a - e| ≤ 2·max|twin - e| + 1e-5, twin: another kernel of the same formats",
     "Dao-AILab/flash-attention tests/test_flash_attn.py"},
    {"DeepGEMM", Inputs::normal, deep_gemm, "1 - 2Σae/Σ(a² + e²) < 1e-3", "deepseek-ai/DeepGEMM, calc_diff"},
    {"PCC", Inputs::normal, correlation, "Pearson's correlation ≥ 0.99, NaN and infinities as 0",
     "tenstorrent/tt-metal, comp_pcc"},
}};

}  // namespace detection
