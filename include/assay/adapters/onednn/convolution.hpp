#pragma once

#include <new>
#include <string>
#include <unordered_map>
#include <utility>

#include "assay/adapters/onednn/onednn.hpp"
#include "assay/kernels/convolution/convolution.hpp"
#include "assay/kernels/kernel.hpp"

namespace assay::inline v0 {

namespace detail {

/// A convolution in oneDNN's terms.
class OneDnnConvolution {
  using Dims = dnnl::memory::dims;
  using Descriptor = dnnl::memory::desc;

 public:
  OneDnnConvolution(const ConvolutionProblem& problem, const OperandArray& operands)
      : problem_(problem), operands_(operands) {
    for (int d = 0; d < problem.dimensions; ++d) {
      const ConvolutionAxis& axis = problem.axes[d];
      strides_.push_back(axis.stride);
      dilations_.push_back(axis.dilation - 1);
      front_.push_back(axis.padding_before);
      // what an output padding adds is what the padding behind covers less
      back_.push_back(axis.padding_after - axis.output_padding);
    }
  }

  void run() {
    const Descriptor input = image(Operands::input), weights = filters(), output = image(Operands::output);
    const Descriptor bias = problem_.bias ? Descriptor({problem_.output_channels}, type(problem_.weights),
                                                       Dims{operands_[Operands::bias].strides[0]})
                                          : Descriptor();
    std::unordered_map<int, dnnl::memory> arguments;
    const auto pass = [&](int argument, const Descriptor& descriptor, Operands::Position operand) {
      if (operands_[operand].present())
        arguments.emplace(argument, dnnl::memory(descriptor, engine_, operands_[operand].data));
    };
    const auto execute = [&](const dnnl::primitive& primitive) {
      dnnl::stream stream(engine_);
      primitive.execute(stream, arguments);
      stream.wait();
    };
    switch (problem_.pass) {
      case ConvolutionPass::forward:
        pass(DNNL_ARG_SRC, input, Operands::input);
        pass(DNNL_ARG_WEIGHTS, weights, Operands::weights);
        pass(DNNL_ARG_BIAS, bias, Operands::bias);
        pass(DNNL_ARG_DST, output, Operands::output);
        if (problem_.transposed)
          return execute(
              dnnl::deconvolution_forward(forward<dnnl::deconvolution_forward>(input, weights, bias, output)));
        return execute(dnnl::convolution_forward(forward<dnnl::convolution_forward>(input, weights, bias, output)));
      case ConvolutionPass::backward_data:
        pass(DNNL_ARG_DIFF_SRC, input, Operands::input);
        pass(DNNL_ARG_WEIGHTS, weights, Operands::weights);
        pass(DNNL_ARG_DIFF_DST, output, Operands::output);
        if (problem_.transposed)
          return execute(dnnl::deconvolution_backward_data(
              backward<dnnl::deconvolution_backward_data, dnnl::deconvolution_forward>(input, weights, output)));
        return execute(dnnl::convolution_backward_data(
            backward<dnnl::convolution_backward_data, dnnl::convolution_forward>(input, weights, output)));
      case ConvolutionPass::backward_weights:
        pass(DNNL_ARG_SRC, input, Operands::input);
        pass(DNNL_ARG_DIFF_WEIGHTS, weights, Operands::weights);
        pass(DNNL_ARG_DIFF_BIAS, bias, Operands::bias);
        pass(DNNL_ARG_DIFF_DST, output, Operands::output);
        if (problem_.transposed)
          return execute(dnnl::deconvolution_backward_weights(
              of_weights<dnnl::deconvolution_backward_weights, dnnl::deconvolution_forward>(input, weights, bias,
                                                                                            output)));
        return execute(dnnl::convolution_backward_weights(
            of_weights<dnnl::convolution_backward_weights, dnnl::convolution_forward>(input, weights, bias, output)));
    }
  }

 private:
  using Operands = ConvolutionOperands;

  [[nodiscard]] static dnnl::memory::data_type type(const ElementFormat& format) {
    return format == element_format<float32>()    ? dnnl::memory::data_type::f32
           : format == element_format<bfloat16>() ? dnnl::memory::data_type::bf16
                                                  : dnnl::memory::data_type::f16;
  }
  [[nodiscard]] dnnl::algorithm algorithm() const {
    const bool winograd = problem_.algorithm == ConvolutionAlgorithm::winograd;
    if (problem_.transposed)
      return winograd ? dnnl::algorithm::deconvolution_winograd : dnnl::algorithm::deconvolution_direct;
    return winograd ? dnnl::algorithm::convolution_winograd : dnnl::algorithm::convolution_direct;
  }

  /// (batch, channels, axes…), whatever the order in memory.
  [[nodiscard]] Descriptor image(Operands::Position position) const {
    const Operand& operand = operands_[position];
    const bool last = problem_.layout == ConvolutionLayout::channels_last;
    const int channel = last ? operand.rank - 1 : 1;
    Dims extents{operand.extents[0], operand.extents[channel]}, strides{operand.strides[0], operand.strides[channel]};
    add_axes(operand, extents, strides);
    return {extents, type(operand.format), strides};
  }
  /// (groups if there are any, output channels, input channels, axes…).
  [[nodiscard]] Descriptor filters() const {
    const Operand& operand = operands_[Operands::weights];
    const Index groups = problem_.groups, to = problem_.output_channels / groups,
                from = problem_.input_channels / groups;
    const Index first = operand.strides[0],
                second = operand.strides[problem_.layout == ConvolutionLayout::channels_last ? operand.rank - 1 : 1];
    Dims extents{to, from}, strides{problem_.transposed ? second : first, problem_.transposed ? first : second};
    if (groups > 1) {
      extents.insert(extents.begin(), groups);
      strides.insert(strides.begin(), (problem_.transposed ? from : to) * first);
    }
    add_axes(operand, extents, strides);
    return {extents, type(operand.format), strides};
  }
  void add_axes(const Operand& operand, Dims& extents, Dims& strides) const {
    const int first = problem_.layout == ConvolutionLayout::channels_last ? 1 : 2;
    for (int d = 0; d < problem_.dimensions; ++d) {
      extents.push_back(operand.extents[first + d]);
      strides.push_back(operand.strides[first + d]);
    }
  }

  template <class Primitive>
  [[nodiscard]] typename Primitive::primitive_desc forward(const Descriptor& input, const Descriptor& weights,
                                                           const Descriptor& bias, const Descriptor& output) const {
    const auto kind = problem_.pass == ConvolutionPass::forward ? dnnl::prop_kind::forward_inference
                                                                : dnnl::prop_kind::forward_training;
#if DNNL_VERSION_MAJOR >= 3
    return typename Primitive::primitive_desc(engine_, kind, algorithm(), input, weights, bias, output, strides_,
                                              dilations_, front_, back_);
#else
    return typename Primitive::primitive_desc(
        typename Primitive::desc(kind, algorithm(), input, weights, bias, output, strides_, dilations_, front_, back_),
        engine_);
#endif
  }
  template <class Primitive, class Forward>
  [[nodiscard]] typename Primitive::primitive_desc backward(const Descriptor& input, const Descriptor& weights,
                                                            const Descriptor& output) const {
    const auto hint = forward<Forward>(input, weights, Descriptor(), output);
#if DNNL_VERSION_MAJOR >= 3
    return typename Primitive::primitive_desc(engine_, algorithm(), input, weights, output, strides_, dilations_,
                                              front_, back_, hint);
#else
    return typename Primitive::primitive_desc(
        typename Primitive::desc(algorithm(), input, weights, output, strides_, dilations_, front_, back_), engine_,
        hint);
#endif
  }
  template <class Primitive, class Forward>
  [[nodiscard]] typename Primitive::primitive_desc of_weights(const Descriptor& input, const Descriptor& weights,
                                                              const Descriptor& bias, const Descriptor& output) const {
    const auto hint = forward<Forward>(input, weights, bias, output);
#if DNNL_VERSION_MAJOR >= 3
    return typename Primitive::primitive_desc(engine_, algorithm(), input, weights, bias, output, strides_, dilations_,
                                              front_, back_, hint);
#else
    return typename Primitive::primitive_desc(
        typename Primitive::desc(algorithm(), input, weights, bias, output, strides_, dilations_, front_, back_),
        engine_, hint);
#endif
  }

  ConvolutionProblem problem_;
  OperandArray operands_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  Dims strides_, dilations_, front_, back_;
};

[[nodiscard]] inline Failure onednn_convolution_failure(const dnnl::error& error, const ConvolutionProblem& problem) {
  const std::string what = "oneDNN " + OneDnn::version() + ", " + Convolution::operation_of(problem) + " " +
                           Convolution::formats_of(problem) + ": " + error.what();
  if (error.status == dnnl_unimplemented)
    return failure(ErrorKind::unsupported, what + " (not implemented for this processor or problem)");
  if (error.status == dnnl_out_of_memory) return failure(ErrorKind::out_of_memory, what);
  if (error.status == dnnl_invalid_arguments)
    return failure(ErrorKind::unsupported, what + " (oneDNN takes the problem for invalid)");
  return failure(ErrorKind::device, what + " (status " + std::to_string(static_cast<int>(error.status)) + ")");
}

}  // namespace detail

/// oneDNN's direct and Winograd convolutions and deconvolutions, on the layouts and strides that the operands have: no
/// reordering. Tensors without elements are unsupported, since to oneDNN they make the whole primitive a no-op, which
/// leaves gradients and biased outputs unwritten.
template <>
struct kernel<OneDnn, Convolution> {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const ConvolutionProblem& problem, const OperandArray& operands) {
    if (problem.algorithm == ConvolutionAlgorithm::fft)
      return failure(ErrorKind::unsupported, "oneDNN has no convolution by Fourier transforms");
    for (const ElementFormat& format : {problem.input, problem.weights, problem.output})
      if (!(format == element_format<float32>() || format == element_format<bfloat16>() ||
            format == element_format<float16>()))
        return failure(ErrorKind::unsupported,
                       std::string("oneDNN's convolutions are offered in f32, bf16 and f16, not ") + format.name);
    if (problem.batch == 0 || problem.input_channels == 0 || problem.output_channels == 0)
      return failure(ErrorKind::unsupported,
                     "oneDNN is not asked for tensors without elements: it leaves all outputs unwritten");
    const Operand& output = operands[ConvolutionOperands::output];
    if (problem.transposed && problem.bias && problem.pass == ConvolutionPass::forward &&
        output.strides[0] * output.extents[0] != output.size())
      return failure(ErrorKind::unsupported,
                     "oneDNN is not asked for a deconvolution with a bias into an output with gaps: it adds the bias "
                     "in a scratchpad of as "
                     "many elements as the output has, which it addresses with "
                     "the output's strides, and writes beyond its end");
    try {
      detail::OneDnnConvolution(problem, operands).run();
    } catch (const dnnl::error& error) {
      return detail::onednn_convolution_failure(error, problem);
    } catch (const std::bad_alloc&) {
      return failure(ErrorKind::out_of_memory, "oneDNN's convolution ran out of host memory");
    }
    return {};
  }
};

}  // namespace assay::inline v0
