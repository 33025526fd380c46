#pragma once

#include "assay/validators/quantization_report.hpp"

namespace assay::testing {

/// One value of 1 with an error of so many dB below it; infinitely many: none.
inline QuantizationQuality quality_of(double decibels, bool clipped = false) {
  QuantizationQuality quality;
  quality.count = 1;
  quality.clipped = clipped ? 1 : 0;
  quality.signal = quality.quantized = 1;
  quality.noise = decibels > 1000 ? 0 : std::pow(10, -decibels / 10);
  quality.error_sum = quality.max_error = std::sqrt(quality.noise);
  quality.product = 1 - quality.noise / 2;
  return quality;
}

/// Three schemes on three tensors, the last one without a finite value.
inline QuantizationReport quantization_example() {
  QuantizationReport report;
  report.source = "model & co.safetensors";
  report.command = "assay quantize-report 'model & co.safetensors'";
  report.schemes = quantization_schemes_named({"e4m3fn", "e5m2", "mxfp4"}).value();
  const auto scheme = [](double decibels, double channel, Index number, double bits, bool clipped = false) {
    return SchemeQuality{quality_of(decibels, clipped), quality_of(channel), number, bits};
  };
  TensorQuality first{10, 10, {}, {scheme(60, 20, 5, 8.5, true), scheme(50, 30, 1, 9), scheme(10, 5, 0, 4)}};
  TensorQuality second{100, 3, {}, {scheme(40, 30, 7, 8), scheme(30, 25, 0, 8), scheme(2000, 2000, 0, 4)}};
  for (int i = 0; i < 100; ++i) first.values.add(0.01 * i);
  for (int i = 0; i < 300; ++i) second.values.add(1);
  TensorQuality third{0, 0, {}, {{}, {}, {}}};
  third.schemes[0].tensor.not_finite = 4;
  third.schemes[0].tensor.lost = 3;
  report.tensors = {{"a", "F32", "10×10", first}, {"b <weight>", "BF16", "100×3", second}, {"c", "F32", "0×0", third}};
  report.left_out = {"ids: I64 holds integers"};
  return report;
}

}  // namespace assay::testing
