#pragma once

#include <memory>
#include <optional>
#include <string>

#include "assay/adapters/detail/channel_softmax.hpp"
#include "assay/adapters/miopen/miopen.hpp"
#include "assay/kernels/kernel.hpp"

namespace assay::inline v0 {

namespace detail {

/// MIOpen's name of a format, where it has one for softmax.
[[nodiscard]] inline std::optional<miopenDataType_t> miopen_type_of(const ElementFormat& format) {
  if (format == element_format<float32>()) return miopenFloat;
  if (format == element_format<float16>()) return miopenHalf;
  if (format == element_format<bfloat16>()) return miopenBFloat16;
  return std::nullopt;
}

/// A tensor of MIOpen's.
class MiOpenTensor {
 public:
  [[nodiscard]] static Result<MiOpenTensor> make(const Operand& operand) {
    miopenTensorDescriptor_t made = nullptr;
    if (auto created = miopen_result("miopenCreateTensorDescriptor", miopenCreateTensorDescriptor(&made)); !created)
      return created.propagate();
    MiOpenTensor tensor;
    tensor.own_ = {made, [](miopenTensorDescriptor_t own) { static_cast<void>(miopenDestroyTensorDescriptor(own)); }};
    const auto& [extents, strides] = four_dimensions(operand);
    if (auto set = miopen_result(
            "miopenSet4dTensorDescriptorEx",
            miopenSet4dTensorDescriptorEx(made, *miopen_type_of(operand.format), extents[0], extents[1], extents[2],
                                          extents[3], strides[0], strides[1], strides[2], strides[3]));
        !set)
      return set.propagate();
    return tensor;
  }
  [[nodiscard]] miopenTensorDescriptor_t handle() const { return own_.get(); }

 private:
  std::shared_ptr<std::remove_pointer_t<miopenTensorDescriptor_t>> own_;
};

/// Why a softmax is not offered, or nothing. Needs no device.
[[nodiscard]] inline std::string miopen_softmax_refusal(const SoftmaxProblem& problem, const OperandArray& operands) {
  if (std::string refusal = channel_softmax_refusal("MIOpen", problem, operands); !refusal.empty()) return refusal;
  return miopen_type_of(problem.input) ? "" : std::string("MIOpen's softmax has no format ") + problem.input.name;
}

}  // namespace detail

/// miopenSoftmaxForward_V2 in the form that subtracts the maximum, and its logarithm: f32, f16 and bf16.
template <>
struct kernel<MiOpen, Softmax> {
  static constexpr bool available = true;

  static Result<void> run(MiOpen& backend, MiOpen::Stream& stream, const SoftmaxProblem& problem,
                          const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    if (const std::string refusal = detail::miopen_softmax_refusal(problem, operands); !refusal.empty())
      return failure(ErrorKind::unsupported, refusal);
    const auto input = detail::MiOpenTensor::make(operands[Softmax::input]),
               output = detail::MiOpenTensor::make(operands[Softmax::output]);
    if (!input) return input.propagate();
    if (!output) return output.propagate();
    const float one = 1, zero = 0;
    return backend.submit(stream, "miopenSoftmaxForward_V2", Softmax::formats_of(problem) + " " + name_of(problem),
                          [&](miopenHandle_t handle) {
                            return miopenSoftmaxForward_V2(
                                handle, &one, input.value().handle(), operands[Softmax::input].data, &zero,
                                output.value().handle(), operands[Softmax::output].data,
                                problem.logarithm ? MIOPEN_SOFTMAX_LOG : MIOPEN_SOFTMAX_ACCURATE,
                                MIOPEN_SOFTMAX_MODE_CHANNEL);
                          });
  }
};

}  // namespace assay::inline v0
