#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/plugin/plugin.h"
#include "assay/plugin/plugin_request.hpp"
#include "assay/tensor/dlpack_abi.hpp"
#include "assay/tensor/dlpack_format.hpp"

namespace assay::inline v0::detail {

static_assert(dlpack::TensorStruct<assay_plugin_array> && alignof(assay_plugin_array) == alignof(dlpack::Tensor) &&
              offsetof(assay_plugin_array, device) == offsetof(dlpack::Tensor, device) &&
              offsetof(assay_plugin_array, ndim) == offsetof(dlpack::Tensor, ndim) &&
              offsetof(assay_plugin_array, dtype) == offsetof(dlpack::Tensor, dtype) &&
              offsetof(assay_plugin_array, shape) == offsetof(dlpack::Tensor, shape) &&
              offsetof(assay_plugin_array, strides) == offsetof(dlpack::Tensor, strides) &&
              offsetof(assay_plugin_array, byte_offset) == offsetof(dlpack::Tensor, byte_offset));

/// A request as the structures of plugin.h, which point into it: it must stay where it is, and as it is.
class PluginStructures {
 public:
  /// `unsupported` where DLPack has no type for a format.
  [[nodiscard]] Result<void> build(const PluginRequest& request) {
    const std::size_t count = request.tensors.size();
    extents_.resize(count * Operand::most_dimensions);
    strides_.resize(count * Operand::most_dimensions);
    tensors_.resize(count);
    tensor_pointers_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const PluginTensor& given = request.tensors[i];
      if (!given.operand.present()) continue;
      const auto type = dlpack_type_of(given.format);
      if (!type) return type.propagate();
      std::int64_t* const extents = extents_.data() + i * Operand::most_dimensions;
      std::int64_t* const strides = strides_.data() + i * Operand::most_dimensions;
      for (int d = 0; d < given.operand.rank; ++d) {
        extents[d] = given.operand.extents[d];
        strides[d] = given.operand.strides[d];
      }
      assay_plugin_tensor& tensor = tensors_[i];
      tensor.size = sizeof tensor;
      tensor.name = given.name.c_str();
      tensor.format = given.format.name;
      tensor.role = static_cast<std::int32_t>(given.role);
      tensor.array.device = {static_cast<std::int32_t>(dlpack::DeviceType::cpu), 0};
      tensor.array.ndim = given.operand.rank;
      tensor.array.dtype = {type.value().code, type.value().bits, 1};
      tensor.array.shape = extents;
      tensor.array.strides = strides;
      tensor_pointers_[i] = &tensor;
    }
    for (const PluginAttribute& given : request.attributes)
      attributes_.push_back({sizeof(assay_plugin_attribute), given.name.c_str(), static_cast<std::int32_t>(given.kind), 0, given.integer,
                             given.real, given.text.c_str()});
    for (const assay_plugin_attribute& attribute : attributes_) attribute_pointers_.push_back(&attribute);
    problem_ = {sizeof problem_,         request.operation.c_str(),  request.problem.c_str(),
                request.formats.c_str(), attribute_pointers_.size(), attribute_pointers_.data(),
                tensor_pointers_.size(), tensor_pointers_.data()};
    return {};
  }

  /// From here on tensors have their data.
  void give_data(const PluginRequest& request) {
    for (std::size_t i = 0; i < tensors_.size(); ++i)
      if (request.tensors[i].operand.size() > 0) tensors_[i].array.data = request.tensors[i].operand.data;
  }

  [[nodiscard]] const assay_plugin_problem& problem() const { return problem_; }

 private:
  std::vector<std::int64_t> extents_, strides_;
  std::vector<assay_plugin_tensor> tensors_;
  std::vector<const assay_plugin_tensor*> tensor_pointers_;
  std::vector<assay_plugin_attribute> attributes_;
  std::vector<const assay_plugin_attribute*> attribute_pointers_;
  assay_plugin_problem problem_{};
};

static_assert(static_cast<int>(OperandRole::input) == ASSAY_PLUGIN_INPUT && static_cast<int>(OperandRole::output) == ASSAY_PLUGIN_OUTPUT &&
              static_cast<int>(OperandRole::updated) == ASSAY_PLUGIN_UPDATED);
static_assert(static_cast<int>(PluginAttributeKind::integer) == ASSAY_PLUGIN_INTEGER &&
              static_cast<int>(PluginAttributeKind::real) == ASSAY_PLUGIN_REAL &&
              static_cast<int>(PluginAttributeKind::text) == ASSAY_PLUGIN_TEXT);

}  // namespace assay::inline v0::detail
