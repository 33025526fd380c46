#pragma once

#include <cudnn_ops.h>

#include <memory>
#include <string>

#include "assay/adapters/cudnn/cudnn.hpp"
#include "assay/adapters/detail/channel_softmax.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/softmax/softmax.hpp"

namespace assay::inline v0 {

namespace detail {

/// Why a softmax is not offered, or nothing. Needs no device.
[[nodiscard]] inline std::string cudnn_softmax_refusal(const SoftmaxProblem& problem, const OperandArray& operands) {
  if (std::string refusal = channel_softmax_refusal("cuDNN", problem, operands); !refusal.empty()) return refusal;
  return cudnn_type_of(problem.input) ? "" : std::string("cuDNN's softmax has no format ") + problem.input.name;
}

/// A tensor of cuDNN's older interface.
class CudnnTensor {
 public:
  [[nodiscard]] static Result<CudnnTensor> make(const Operand& operand) {
    cudnnTensorDescriptor_t made = nullptr;
    if (auto created = cudnn_result("cudnnCreateTensorDescriptor", cudnnCreateTensorDescriptor(&made)); !created)
      return created.propagate();
    CudnnTensor tensor;
    tensor.own_ = {made, [](cudnnTensorDescriptor_t own) { static_cast<void>(cudnnDestroyTensorDescriptor(own)); }};
    const auto& [extents, strides] = four_dimensions(operand);
    if (auto set = cudnn_result(
            "cudnnSetTensor4dDescriptorEx",
            cudnnSetTensor4dDescriptorEx(made, *cudnn_type_of(operand.format), extents[0], extents[1], extents[2],
                                         extents[3], strides[0], strides[1], strides[2], strides[3]));
        !set)
      return set.propagate();
    return tensor;
  }
  [[nodiscard]] cudnnTensorDescriptor_t handle() const { return own_.get(); }

 private:
  std::shared_ptr<std::remove_pointer_t<cudnnTensorDescriptor_t>> own_;
};

}  // namespace detail

/// cudnnSoftmaxForward in the form that subtracts the maximum, and its logarithm: f32, f64, f16 and bf16, on the
/// strides that the operands have. (cuDNN 9's graphs have softmax only inside attention.)
template <>
struct kernel<Cudnn, Softmax> {
  static constexpr bool available = true;

  static Result<void> run(Cudnn& backend, Cudnn::Stream& stream, const SoftmaxProblem& problem,
                          const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    if (const std::string refusal = detail::cudnn_softmax_refusal(problem, operands); !refusal.empty())
      return failure(ErrorKind::unsupported, refusal);
    const auto input = detail::CudnnTensor::make(operands[Softmax::input]),
               output = detail::CudnnTensor::make(operands[Softmax::output]);
    if (!input) return input.propagate();
    if (!output) return output.propagate();
    const auto launch = [&](cudnnHandle_t handle, const auto& one, const auto& zero) {
      return cudnnSoftmaxForward(handle, problem.logarithm ? CUDNN_SOFTMAX_LOG : CUDNN_SOFTMAX_ACCURATE,
                                 CUDNN_SOFTMAX_MODE_CHANNEL, &one, input.value().handle(),
                                 operands[Softmax::input].data, &zero, output.value().handle(),
                                 operands[Softmax::output].data);
    };
    const bool doubles = problem.input == element_format<float64>();
    return backend.submit(
        stream, "cudnnSoftmaxForward", Softmax::formats_of(problem) + " " + name_of(problem),
        [&](cudnnHandle_t handle) { return doubles ? launch(handle, 1.0, 0.0) : launch(handle, 1.0F, 0.0F); });
  }
  [[nodiscard]] static Arithmetic arithmetic(const SoftmaxProblem& problem) {
    return problem.input == element_format<float64>() ? arithmetic_in<float64>() : Arithmetic{};
  }
};

}  // namespace assay::inline v0
