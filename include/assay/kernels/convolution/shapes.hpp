#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "assay/kernels/convolution/problem.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// The default suite of convolutions: every pass over every kind of geometry, small; shapes of ResNet-50, YOLOv8,
/// EfficientNet, ViT and the stem of Whisper with fewer channels and positions, and their real sizes where large cases
/// are asked for.
class ConvolutionShapes {
 public:
  /// The suite for that storage format.
  [[nodiscard]] static std::vector<OperationShape<ConvolutionProblem>> of(const ElementFormat& format);

 private:
  using Problem = ConvolutionProblem;
  using Axis = ConvolutionAxis;
  using Kinds = std::vector<FillKind>;

  explicit ConvolutionShapes(const ElementFormat& format) : format_(format) {}

  void add_of_all_passes(void (ConvolutionShapes::*add_shapes)()) {
    for (const auto pass :
         {ConvolutionPass::backward_weights, ConvolutionPass::backward_data, ConvolutionPass::forward}) {
      pass_ = pass;
      (this->*add_shapes)();
    }
  }
  Problem& add(const Kinds& fills, Index batch, Index from, Index to, std::initializer_list<Axis> axes,
               Index groups = 1, bool large = false);
  void with_bias() { shapes_.back().problem.bias = pass_ != ConvolutionPass::backward_data; }
  void last() { shapes_.back().problem.layout = ConvolutionLayout::channels_last; }

  [[nodiscard]] static Axis axis(Index input, Index kernel, Index stride = 1, Index padding = 0, Index dilation = 1) {
    return {input, kernel, stride, dilation, padding, padding, 0};
  }

  void add_plain();

  void add_geometries();

  void add_transposed();

  void add_models();

  void add_fast_algorithms();

  ElementFormat format_;
  ConvolutionPass pass_ = ConvolutionPass::forward;
  std::vector<OperationShape<Problem>> shapes_;
  const Kinds all_{FillKind::normal,    FillKind::uniform,  FillKind::log_uniform, FillKind::exact_integer,
                   FillKind::one_hot,   FillKind::constant, FillKind::canceling,   FillKind::swamping,
                   FillKind::subnormal, FillKind::extreme,  FillKind::special};
  const Kinds core_{FillKind::normal, FillKind::exact_integer, FillKind::canceling, FillKind::special};
  const Kinds few_{FillKind::normal, FillKind::exact_integer};
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/convolution/shapes.ipp"
#endif
