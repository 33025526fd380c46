#pragma once

#include "assay/kernels/convolution/shapes.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<ConvolutionProblem>> ConvolutionShapes::of(
    const ElementFormat& format) {
  ConvolutionShapes shapes(format);
  shapes.add_of_all_passes(&ConvolutionShapes::add_plain);
  shapes.add_fast_algorithms();
  shapes.add_of_all_passes(&ConvolutionShapes::add_geometries);
  shapes.add_of_all_passes(&ConvolutionShapes::add_transposed);
  shapes.add_of_all_passes(&ConvolutionShapes::add_models);
  return std::move(shapes.shapes_);
}

ASSAY_DETAIL_HEADER_INLINE ConvolutionShapes::Problem& ConvolutionShapes::add(const Kinds& fills, Index batch,
                                                                              Index from, Index to,
                                                                              std::initializer_list<Axis> axes,
                                                                              Index groups, bool large) {
  Problem problem;
  problem.pass = pass_;
  problem.batch = batch;
  problem.input_channels = from;
  problem.output_channels = to;
  problem.groups = groups;
  problem.dimensions = 0;
  for (const Axis& axis : axes) problem.axes[problem.dimensions++] = axis;
  problem.input = problem.weights = problem.output = format_;
  shapes_.push_back({problem, fills, large});
  return shapes_.back().problem;
}

ASSAY_DETAIL_HEADER_INLINE void ConvolutionShapes::add_plain() {
  add(all_, 2, 3, 5, {axis(9, 3, 1, 1), axis(8, 3, 1, 1)});
  with_bias();
  add(all_, 2, 8, 5, {axis(7, 3, 1, 1), axis(10, 3, 1, 1)});
  last();
  with_bias();
}

ASSAY_DETAIL_HEADER_INLINE void ConvolutionShapes::add_geometries() {
  add(core_, 2, 4, 6, {axis(10, 3, 2, 1), axis(11, 3, 2, 1)});
  add(core_, 1, 4, 6, {axis(11, 3, 2, 1), axis(10, 2, 3, 1)});
  last();
  add(core_, 1, 5, 3, {Axis{9, 3, 2, 1, 0, 1, 0}, Axis{8, 3, 1, 1, 2, 0, 0}});  // asymmetric
  with_bias();
  add(core_, 1, 5, 3, {Axis{9, 4, 2, 1, 1, 2, 0}, Axis{8, 3, 2, 1, 0, 1, 0}});
  last();
  add(core_, 1, 4, 4, {axis(13, 3, 1, 2, 2), axis(14, 3, 2, 3, 3)});  // dilated
  add(core_, 1, 6, 4, {axis(13, 3, 2, 0, 4), axis(14, 2, 1, 1, 3)});
  last();
  add(core_, 2, 8, 12, {axis(6, 3, 1, 1), axis(7, 3, 1, 1)}, 4);
  with_bias();
  add(core_, 1, 8, 12, {axis(6, 3, 1, 1), axis(7, 3, 2, 1)}, 4);
  last();
  add(core_, 1, 16, 16, {axis(11, 5, 2, 2), axis(9, 3, 2, 1)}, 16);  // depthwise
  add(core_, 1, 16, 16, {axis(9, 3, 1, 1), axis(9, 5, 1, 2)}, 16);
  last();
  with_bias();
  add(few_, 1, 6, 6, {axis(9, 3, 1, 2, 2), axis(11, 3, 1, 3, 3)}, 6);  // depthwise and dilated
  with_bias();
  add(few_, 1, 6, 6, {axis(9, 3, 2, 2, 2), axis(8, 3, 1, 2, 2)}, 6);
  last();
  add(few_, 1, 6, 12, {axis(7, 3, 1, 1), axis(7, 3, 1, 1)}, 6);  // depthwise with a multiplier
  add(core_, 2, 32, 16, {axis(7, 1), axis(7, 1)});
  add(few_, 1, 32, 16, {axis(8, 1, 2), axis(7, 1, 2)});
  last();
  add(few_, 2, 4, 6, {axis(5, 5), axis(4, 4)});              // one output
  add(few_, 1, 3, 4, {axis(3, 5, 1, 2), axis(2, 5, 1, 2)});  // a kernel larger than the image
  add(few_, 1, 3, 4, {axis(10, 2, 3), axis(11, 1, 4)});      // inputs that no output reads
  add(core_, 2, 7, 5, {axis(31, 3, 2, 1)});                  // one axis
  with_bias();
  add(few_, 2, 6, 5, {axis(40, 9, 1, 4)}, 1);
  last();
  add(core_, 1, 3, 4, {axis(5, 3, 1, 1), axis(6, 2, 2), axis(7, 3, 1, 1)});  // three axes
  with_bias();
  add(few_, 2, 4, 4, {axis(4, 2, 2), axis(5, 3, 1, 1), axis(6, 3, 1, 2, 2)}, 2);
  last();
  add({FillKind::normal}, 1, 1, 1, {axis(1, 1), axis(1, 1)});
  add({FillKind::normal}, 0, 3, 2, {axis(5, 3), axis(5, 3)});
  add({FillKind::normal}, 2, 0, 3, {axis(5, 3), axis(5, 3)});
  with_bias();
}

ASSAY_DETAIL_HEADER_INLINE void ConvolutionShapes::add_transposed() {
  const std::size_t first = shapes_.size();
  add(all_, 2, 4, 3, {axis(5, 4, 2, 1), axis(6, 4, 2, 1)});
  with_bias();
  add(core_, 1, 6, 4, {Axis{5, 3, 2, 1, 1, 1, 1}, Axis{4, 3, 3, 1, 0, 1, 2}});
  with_bias();
  add(core_, 2, 6, 4, {Axis{5, 3, 2, 1, 1, 1, 1}, axis(7, 3, 1, 1)}, 2);
  last();
  add(few_, 1, 4, 8, {axis(5, 3, 1, 2, 2), axis(5, 2, 3, 0, 2)}, 4);
  add(few_, 1, 5, 7, {axis(20, 5, 3, 2)});
  add(few_, 1, 4, 3, {axis(3, 2, 2), axis(4, 3, 2, 1), axis(3, 2, 1, 0, 2)});
  last();
  for (std::size_t i = first; i < shapes_.size(); ++i) shapes_[i].problem.transposed = true;
}

ASSAY_DETAIL_HEADER_INLINE void ConvolutionShapes::add_models() {
  add(few_, 1, 3, 4, {axis(25, 7, 2, 3), axis(25, 7, 2, 3)});  // ResNet-50: the stem
  add(few_, 1, 16, 16, {axis(7, 3, 1, 1), axis(7, 3, 1, 1)});  // the middle of a bottleneck
  add(few_, 1, 48, 32, {axis(6, 1, 2), axis(6, 1, 2)});        // a projection
  add(few_, 1, 3, 8, {axis(16, 3, 2, 1), axis(20, 3, 2, 1)});  // YOLOv8: the stem
  with_bias();
  add(few_, 1, 24, 24, {Axis{8, 5, 2, 1, 1, 2, 0}, Axis{8, 5, 2, 1, 1, 2, 0}},
      24);  // EfficientNet: "same" padding of an even image
  last();
  add(few_, 1, 40, 8, {axis(32, 3, 1, 1)});  // Whisper: the stem
  with_bias();
  add(few_, 1, 24, 16, {axis(32, 3, 2, 1)});
  with_bias();
  add(few_, 1, 3, 12, {axis(32, 16, 16), axis(32, 16, 16)});  // ViT: patches
  const Kinds normal{FillKind::normal};
  add(normal, 4, 64, 64, {axis(56, 3, 1, 1), axis(56, 3, 1, 1)}, 1, true);
  add(normal, 2, 3, 64, {axis(224, 7, 2, 3), axis(224, 7, 2, 3)}, 1, true);
  add(normal, 2, 512, 512, {axis(7, 3, 1, 1), axis(7, 3, 1, 1)}, 1, true);
  add(normal, 1, 3, 80, {axis(640, 3, 2, 1), axis(640, 3, 2, 1)}, 1, true);
  add(normal, 2, 672, 672, {axis(14, 5, 1, 2), axis(14, 5, 1, 2)}, 672, true);
  last();
  add(normal, 1, 80, 384, {axis(3000, 3, 1, 1)}, 1, true);
  with_bias();
  add(normal, 1, 384, 384, {axis(3000, 3, 2, 1)}, 1, true);
  with_bias();
}

ASSAY_DETAIL_HEADER_INLINE void ConvolutionShapes::add_fast_algorithms() {
  using enum FillKind;
  const Kinds fills{normal, uniform, one_hot, constant, canceling}, fewer{normal, uniform};
  const std::size_t first = shapes_.size();
  for (const int tile : {2, 4}) {
    add(fills, 2, 8, 6, {axis(9, 3, 1, 1), axis(8, 3, 1, 1)}).winograd_tile = tile;
    with_bias();
    add(fewer, 1, 16, 8, {axis(14, 3, 1, 1), axis(14, 3, 1, 1)}).winograd_tile = tile;
    last();
    add(fewer, 1, 8, 8, {Axis{13, 3, 1, 1, 0, 1, 0}, Axis{7, 3, 1, 1, 2, 0, 0}}, 2).winograd_tile = tile;
  }
  for (std::size_t i = first; i < shapes_.size(); ++i) shapes_[i].problem.algorithm = ConvolutionAlgorithm::winograd;
  const std::size_t second = shapes_.size();
  add(fills, 1, 4, 6, {axis(12, 5, 1, 2), axis(11, 3, 1, 1)});
  with_bias();
  add(fewer, 2, 8, 4, {axis(40, 9, 1, 4)}, 2);
  last();
  for (std::size_t i = second; i < shapes_.size(); ++i) shapes_[i].problem.algorithm = ConvolutionAlgorithm::fft;
}

}  // namespace assay::inline v0
