#pragma once

#include <new>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <string>
#include <utility>

#include "assay/adapters/onednn/onednn.hpp"
#include "assay/core/result.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0::detail {

/// oneDNN's name of a format, where it has one.
[[nodiscard]] inline std::optional<dnnl::memory::data_type> onednn_type_of(const ElementFormat& format) {
  using Type = dnnl::memory::data_type;
  if (format == element_format<float32>()) return Type::f32;
  if (format == element_format<bfloat16>()) return Type::bf16;
  if (format == element_format<float16>()) return Type::f16;
  if (format == element_format<std::int8_t>()) return Type::s8;
  if (format == element_format<std::uint8_t>()) return Type::u8;
  if (format == element_format<std::int32_t>()) return Type::s32;
  return std::nullopt;
}

/// The operand as oneDNN sees it, strides included; with dimensions in another order where `order` names them.
[[nodiscard]] inline dnnl::memory::desc onednn_descriptor_of(const Operand& operand,
                                                             std::initializer_list<int> order = {}) {
  dnnl::memory::dims extents, strides;
  const auto append = [&](int d) {
    extents.push_back(operand.extents[d]);
    strides.push_back(operand.strides[d]);
  };
  for (const int d : order) append(d);
  for (int d = 0; order.size() == 0 && d < operand.rank; ++d) append(d);
  return {extents, *onednn_type_of(operand.format), strides};
}

/// Runs what throws oneDNN's errors and gives them as failures: `what` names the primitive and its formats.
template <class Work>
[[nodiscard]] Result<void> onednn_guarded(const std::string& what, Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const dnnl::error& error) {
    const std::string message = "oneDNN " + OneDnn::version() + ", " + what + ": " + error.what();
    if (error.status == dnnl_unimplemented)
      return failure(ErrorKind::unsupported, message + " (not implemented for this processor or problem)");
    if (error.status == dnnl_out_of_memory) return failure(ErrorKind::out_of_memory, message);
    if (error.status == dnnl_invalid_arguments) return failure(ErrorKind::invalid, message);
    return failure(ErrorKind::device, message + " (status " + std::to_string(static_cast<int>(error.status)) + ")");
  } catch (const std::bad_alloc&) {
    return failure(ErrorKind::out_of_memory, "oneDNN's " + what + " ran out of host memory");
  }
  return {};
}

}  // namespace assay::inline v0::detail
