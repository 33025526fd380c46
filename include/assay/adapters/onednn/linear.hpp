#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "assay/adapters/onednn/detail/operand.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/linear/linear.hpp"

namespace assay::inline v0 {

namespace detail {

/// One linear layer as a matmul with attributes and post-ops, in the order of the definition. A bias goes through the
/// primitive's own argument where nothing scales the sum, since up to 2.x output scales apply to it too; else through a
/// post-op.
class OneDnnLinear {
 public:
  OneDnnLinear(const LinearProblem& problem, const OperandArray& operands) : problem_(problem), operands_(operands) {}

  void run() {
    using P = LinearOperands;
    const Operand &a = operands_[P::a], &b = operands_[P::b], &bias = operands_[P::bias],
                  &residual = operands_[P::residual];
    const bool scaled = problem_.a.scales != LinearGranularity::none || problem_.b.scales != LinearGranularity::none,
               own_bias = bias.present() && !scaled;
    const dnnl::memory::desc from = onednn_descriptor_of(a), to = onednn_descriptor_of(operands_[P::output]);
    const dnnl::memory::desc weights = problem_.transpose_b ? onednn_descriptor_of(b, {1, 0}) : onednn_descriptor_of(b);
    arguments_ = {{DNNL_ARG_SRC, {from, engine_, a.data}},
                  {DNNL_ARG_WEIGHTS, {weights, engine_, b.data}},
                  {DNNL_ARG_DST, {to, engine_, operands_[P::output].data}}};
    zero_point(DNNL_ARG_SRC, problem_.a, operands_[P::a_zero_points], 1 << 0);
    zero_point(DNNL_ARG_WEIGHTS, problem_.b, operands_[P::b_zero_points], 1 << 1);
    if (scaled) scale();
    if (bias.present() && !own_bias) append_binary(dnnl::algorithm::binary_add, row_of(bias), bias.data);
    const auto append = [&](dnnl::algorithm algorithm, float alpha) {
#if DNNL_VERSION_MAJOR >= 3
      post_ops_.append_eltwise(algorithm, alpha, 0);
#else
      post_ops_.append_eltwise(1, algorithm, alpha, 0);
#endif
    };
    if (problem_.activation == LinearActivation::relu) append(dnnl::algorithm::eltwise_relu, 0);
    if (problem_.activation == LinearActivation::gelu) append(dnnl::algorithm::eltwise_gelu_erf, 0);
    if (problem_.activation == LinearActivation::gelu_tanh) append(dnnl::algorithm::eltwise_gelu_tanh, 0);
    if (problem_.activation == LinearActivation::silu) append(dnnl::algorithm::eltwise_swish, 1);
    if (residual.present()) append_binary(dnnl::algorithm::binary_add, onednn_descriptor_of(residual), residual.data);
    if (problem_.output_scaled)
      append(dnnl::algorithm::eltwise_linear, 1 / static_cast<float>(operands_[P::whole_scales].load(2)));
    attributes_.set_post_ops(post_ops_);
    const dnnl::memory::desc bias_description = own_bias ? row_of(bias) : dnnl::memory::desc();
    if (own_bias) arguments_.emplace(DNNL_ARG_BIAS, dnnl::memory(bias_description, engine_, bias.data));
#if DNNL_VERSION_MAJOR >= 3
    const dnnl::matmul::primitive_desc description =
        own_bias ? dnnl::matmul::primitive_desc(engine_, from, weights, bias_description, to, attributes_)
                 : dnnl::matmul::primitive_desc(engine_, from, weights, to, attributes_);
#else
    const dnnl::matmul::primitive_desc description(
        own_bias ? dnnl::matmul::desc(from, weights, bias_description, to) : dnnl::matmul::desc(from, weights, to),
        attributes_, engine_);
#endif
    dnnl::matmul(description).execute(stream_, arguments_);
    stream_.wait();
  }

 private:
  /// A vector as a matrix of one row.
  [[nodiscard]] static dnnl::memory::desc row_of(const Operand& vector) {
    using Dims = dnnl::memory::dims;
    return {Dims{1, vector.extents[0]}, *onednn_type_of(vector.format), Dims{vector.extents[0], vector.strides[0]}};
  }
  void append_binary(dnnl::algorithm algorithm, const dnnl::memory::desc& description, void* data) {
    arguments_.emplace(DNNL_ARG_ATTR_MULTIPLE_POST_OP(post_ops_.len()) | DNNL_ARG_SRC_1,
                       dnnl::memory(description, engine_, data));
    post_ops_.append_binary(algorithm, description);
  }
  void zero_point(int argument, const LinearMatrix& matrix, const Operand& numbers, int vector_mask) {
    if (matrix.zero_points == LinearGranularity::none) return;
    const int mask = matrix.zero_points == LinearGranularity::vector ? vector_mask : 0;
#if DNNL_VERSION_MAJOR >= 3
    attributes_.set_zero_points_mask(argument, mask);
    arguments_.emplace(
        DNNL_ARG_ATTR_ZERO_POINTS | argument,
        dnnl::memory({{numbers.size()}, dnnl::memory::data_type::s32, dnnl::memory::dims{1}}, engine_, numbers.data));
#else
    std::vector<std::int32_t> values;
    for (Index i = 0; i < numbers.size(); ++i) values.push_back(static_cast<std::int32_t>(numbers.load(i)));
    attributes_.set_zero_points(argument, mask, values);
#endif
  }
  /// The product of both scales, of the whole output or of each column; those of rows are a post-op.
  void scale() {
    using P = LinearOperands;
    const bool rows = problem_.a.scales == LinearGranularity::vector;
    if (problem_.a.scales == LinearGranularity::tensor)
      products_.assign(1, static_cast<float>(operands_[P::a_scales].load(0)));
    else
      products_.assign(1, 1.0F);
    if (problem_.b.scales == LinearGranularity::vector)
      products_.resize(static_cast<std::size_t>(problem_.n), products_[0]);
    for (std::size_t column = 0; problem_.b.scales != LinearGranularity::none && column < products_.size(); ++column)
      products_[column] *= static_cast<float>(operands_[P::b_scales].load(static_cast<Index>(column)));
#if DNNL_VERSION_MAJOR >= 3
    const Index count = static_cast<Index>(products_.size());
    append_binary(dnnl::algorithm::binary_mul,
                  {dnnl::memory::dims{1, count}, dnnl::memory::data_type::f32, dnnl::memory::dims{count, 1}},
                  products_.data());
#else
    attributes_.set_output_scales(problem_.b.scales == LinearGranularity::vector ? 1 << 1 : 0, products_);
#endif
    if (rows)
      append_binary(dnnl::algorithm::binary_mul,
                    {dnnl::memory::dims{problem_.m, 1}, dnnl::memory::data_type::f32, dnnl::memory::dims{1, 1}},
                    operands_[P::a_scales].data);
  }

  LinearProblem problem_;
  OperandArray operands_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::primitive_attr attributes_;
  dnnl::post_ops post_ops_;
  std::unordered_map<int, dnnl::memory> arguments_;
  std::vector<float> products_;
};

}  // namespace detail

/// oneDNN's matmul of numbers and of bytes, with zero points, scales and post-ops; sums in f32 and s32. What its
/// planning refuses, it refuses in its own words. It has neither groups, block scales, packed 4-bit weights (before
/// 3.x), 2:4 sparsity nor SwiGLU. Products without elements or terms are unsupported, as for `Gemm`.
///
/// Found by its suite, 2.6.3: on processors without VNNI (SSE4.1 to AVX2) products of bytes are added in pairs that
/// saturate at 16 bits, signed A as A + 128 with the rest subtracted in the end, so that sums are wrong once |a₁b₁ +
/// a₂b₂| > 32767; weights of 7 bits, or unsigned A of 7 bits, are safe. ReLU makes 0 of NaN.
template <>
struct kernel<OneDnn, Linear> {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const LinearProblem& problem, const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    const auto lacks = [](const char* what) {
      return failure(ErrorKind::unsupported, std::string("oneDNN's matmul is not asked for ") + what);
    };
    if (problem.groups > 0) return lacks("groups of rows with weights of their own");
    if (problem.a.is_block_scaled() || problem.b.is_block_scaled()) return lacks("block-scaled operands");
    if (problem.b.is_sparse()) return lacks("2:4 sparse weights");
    if (problem.activation == LinearActivation::swiglu) return lacks("SwiGLU, whose two halves no post-op joins");
    if (problem.m == 0 || problem.n == 0 || problem.k == 0)
      return lacks("outputs without elements or sums without terms");
    if (problem.b.format == element_format<std::uint8_t>()) return lacks("unsigned weights, which it calls invalid");
    for (const ElementFormat& format : {problem.a.format, problem.b.format, problem.output, problem.epilogue_format()})
      if (!detail::onednn_type_of(format))
        return failure(ErrorKind::unsupported, std::string("oneDNN has no format ") + format.name);
    return detail::onednn_guarded("matmul " + formats_of(problem),
                                  [&] { detail::OneDnnLinear(problem, operands).run(); });
  }
};

}  // namespace assay::inline v0
