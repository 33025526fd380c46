#pragma once

#include "assay/kernels/normalization/shapes.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<NormalizationProblem>> normalization_shapes(
    const ElementFormat& format) {
  using enum FillKind;
  using enum NormalizationKind;
  const std::vector<FillKind> all{normal,   uniform,   log_uniform,   constant, canceling,
                                  swamping, subnormal, exact_integer, extreme,  special},
      core{normal, canceling, subnormal, special};
  std::vector<OperationShape<NormalizationProblem>> shapes;
  const auto add = [&](NormalizationKind kind, Index outer, Index channels, Index inner,
                       const std::vector<FillKind>& fills, bool large = false) -> NormalizationProblem& {
    NormalizationProblem problem;
    problem.kind = kind;
    problem.outer = outer;
    problem.channels = channels;
    problem.inner = inner;
    problem.input = problem.output = format;
    problem.beta = kind != rms;
    shapes.push_back({problem, fills, large});
    return shapes.back().problem;
  };
  for (const NormalizationKind kind : {layer, rms}) {
    add(kind, 4, 128, 1, all).saved = SavedStatistics::inverse_deviation;
    add(kind, 1, 1, 1, core);
    add(kind, 7, 31, 1, all);
    add(kind, 3, 768, 1, all).epsilon = kind == layer ? 1e-12 : 1e-6;  // BERT, ViT-B; T5
    add(kind, 1, 4099, 1, {normal, canceling});                        // prime
    add(kind, 2, 4096, 1, core).parameters = format;                   // Llama 2, 3
    add(kind, 33, 2, 1, core).saved = SavedStatistics::variance;
    add(kind, 0, 16, 1, {normal});
    add(kind, 4, 0, 1, {normal});
    add(kind, 5, 64, 1, core).gamma = kind == rms;
    shapes.back().problem.beta = kind == rms;
    add(kind, 8192, 8192, 1, {normal}, true);
  }
  for (const VarianceAlgorithm algorithm : {VarianceAlgorithm::welford, VarianceAlgorithm::one_pass}) {
    add(layer, 4, 512, 1, {normal, uniform, canceling, subnormal}).variance = algorithm;
    shapes.back().problem.saved = SavedStatistics::variance;
    add(group, 2, 32, 49, {normal, canceling}).variance = algorithm;
    shapes.back().problem.groups = 8;
  }
  add(layer, 4, 384, 1, core).folded = true;
  const auto grouped = [&](Index outer, Index channels, Index inner, Index groups,
                           const std::vector<FillKind>& fills) -> NormalizationProblem& {
    NormalizationProblem& problem = add(group, outer, channels, inner, fills);
    problem.groups = groups;
    return problem;
  };
  grouped(2, 12, 35, 4, all).saved = SavedStatistics::inverse_deviation;
  grouped(1, 32, 64, 32, core);  // instance normalization
  grouped(2, 64, 49, 32, core);  // a block of a diffusion model's U-Net, cut
  grouped(3, 24, 1, 6, core);    // without inner elements
  grouped(2, 10, 17, 1, {normal, special});
  grouped(0, 8, 4, 2, {normal});
  add(batch, 2, 64, 49, all);  // ResNet-50, cut
  add(batch, 3, 17, 5, all);
  add(batch, 8, 256, 1, core);                  // channels last
  add(batch, 2, 32, 100, core).epsilon = 1e-3;  // EfficientNet, YOLOv8
  shapes.back().problem.folded = true;
  add(batch, 4, 33, 3, {normal, canceling}).gamma = false;
  shapes.back().problem.beta = false;
  add(batch, 2, 0, 3, {normal});
  add(batch, 32, 64, 12544, {normal}, true);  // ResNet-50's first
  return shapes;
}

}  // namespace assay::inline v0
