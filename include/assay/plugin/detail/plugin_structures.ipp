#pragma once

#include "assay/plugin/detail/plugin_structures.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<void> PluginStructures::build(const PluginRequest& request) {
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
  const auto add = [&](const PluginAttribute& given, const char* name, const char* text) {
    attributes_.push_back({sizeof(assay_plugin_attribute), name, static_cast<std::int32_t>(given.kind), 0,
                           given.integer, given.real, text});
  };
  for (const PluginAttribute& given : request.attributes) {
    // words as plugins of the interface's first version compare them
    add(given, given.name.c_str(), given.text == "center" ? "centre" : given.text.c_str());
    if (given.name == "dequantized") add(given, "dequantised", given.text.c_str());
  }
  for (const assay_plugin_attribute& attribute : attributes_) attribute_pointers_.push_back(&attribute);
  problem_ = {sizeof problem_,         request.operation.c_str(),  request.problem.c_str(),
              request.formats.c_str(), attribute_pointers_.size(), attribute_pointers_.data(),
              tensor_pointers_.size(), tensor_pointers_.data()};
  return {};
}

}  // namespace assay::inline v0::detail
