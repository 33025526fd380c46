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
  [[nodiscard]] Result<void> build(const PluginRequest& request);

  /// From here on tensors have their data, as pointers to their first elements, or as boundaries and distances from
  /// them.
  void give_data(const PluginRequest& request, bool byte_offsets) {
    constexpr std::uintptr_t boundary = 256;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (request.tensors[i].operand.size() == 0) continue;
      assay_plugin_array& array = tensors_[i].array;
      char* const first = static_cast<char*>(request.tensors[i].operand.data);
      array.byte_offset = byte_offsets ? reinterpret_cast<std::uintptr_t>(first) % boundary : 0;
      array.data = first - array.byte_offset;
    }
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

static_assert(static_cast<int>(OperandRole::input) == ASSAY_PLUGIN_INPUT &&
              static_cast<int>(OperandRole::output) == ASSAY_PLUGIN_OUTPUT &&
              static_cast<int>(OperandRole::updated) == ASSAY_PLUGIN_UPDATED);
static_assert(static_cast<int>(PluginAttributeKind::integer) == ASSAY_PLUGIN_INTEGER &&
              static_cast<int>(PluginAttributeKind::real) == ASSAY_PLUGIN_REAL &&
              static_cast<int>(PluginAttributeKind::text) == ASSAY_PLUGIN_TEXT);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/plugin/detail/plugin_structures.ipp"
#endif
