#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/formats/element_format_named.hpp"
#include "assay/kernels/quantize/quantize.hpp"
#include "assay/plugin/plugin_backend.hpp"
#include "assay/plugin/plugin_request.hpp"

namespace assay::inline v0 {

namespace detail {

/// A matrix of `rows` × `columns` elements in rows of `stride`, or not present where `data` is null.
[[nodiscard]] inline PluginTensor quantizer_tensor(const char* name, OperandRole role, const ElementFormat& format,
                                                   const void* data, Index rows, Index columns, Index stride,
                                                   Index column_stride = 1) {
  Operand operand;
  operand.data = const_cast<void*>(data);
  operand.format = format;
  operand.rank = 2;
  operand.extents[0] = rows;
  operand.extents[1] = columns;
  operand.strides[0] = stride;
  operand.strides[1] = column_stride;
  return {name, role, format, data != nullptr ? operand : Operand{}};
}

/// Rows, columns and scheme; codes, scales, zero points and the tensor's scale of a quantized matrix.
template <class View>
void add_quantized(PluginRequest& request, const QuantizeProblem& problem, const View& view, bool written) {
  const BlockScaling& scheme = problem.scheme;
  const ScaleLayout& scales = view.layout.scales;
  for (const auto& [name, value] : {std::pair("rows", problem.rows), std::pair("columns", problem.columns)})
    request.attributes.push_back(
        {name, PluginAttributeKind::integer, value, static_cast<double>(value), std::to_string(value)});
  for (PluginAttribute& attribute : plugin_scheme_attributes("", scheme))
    request.attributes.push_back(std::move(attribute));
  const auto role = [&](bool given) { return written && !given ? OperandRole::output : OperandRole::input; };
  const ElementFormat byte = element_format<std::uint8_t>();
  request.tensors.push_back(quantizer_tensor("codes", role(false), byte, view.codes, problem.rows,
                                             view.layout.bytes_of_row, view.layout.code_row_bytes));
  const auto table = [&](const char* name, const ElementFormat& format, const void* data) {
    const bool given = scheme.rule == ScaleRule::given;
    if (scales.order == ScaleOrder::tiles_128x4) {
      request.tensors.push_back(quantizer_tensor(name, role(given), format, data, 1, scales.elements(), 0));
      request.tensors.back().operand.strides[0] = scales.elements();
    } else {
      request.tensors.push_back(quantizer_tensor(name, role(given), format, data, scales.rows, scales.columns,
                                                 scales.row_stride, scales.column_stride));
    }
  };
  table("scales", element_format_named(scheme.scale.name).value_or(byte), view.scales);
  table("zero_points", byte, scheme.zero_points ? view.zero_points : nullptr);
  request.tensors.push_back(
      quantizer_tensor("tensor_scale", role(scheme.tensor_scale == TensorScale::given), element_format<float32>(),
                       scheme.tensor_scale != TensorScale::none ? view.tensor_scale : nullptr, 1, 1, 1));
}

}  // namespace detail

/// A launch of a quantizer: input (rows, columns), codes (rows, bytes of a row) of uint8, scales and zero_points (rows
/// and columns of blocks; of tiled orders (1, elements)), tensor_scale (1, 1). Scales, zero points and the tensor's
/// scale are inputs where the scheme says that they are given, and absent where it has none.
template <Format Input>
[[nodiscard]] PluginRequest plugin_request(const Quantize<Input>&, const QuantizeProblem& problem,
                                           const QuantizeArguments<Input>& arguments) {
  PluginRequest request{Quantize<Input>::name(), name_of(problem), Quantize<Input>::formats(problem.scheme), {}, {}};
  request.tensors.push_back(detail::quantizer_tensor("input", OperandRole::input, element_format<Input>(),
                                                     arguments.matrix.data, problem.rows, problem.columns,
                                                     arguments.matrix.strides[0], arguments.matrix.strides[1]));
  detail::add_quantized(request, problem, arguments.quantized, true);
  return request;
}

/// A launch of a dequantizer: codes, scales, zero_points and tensor_scale as above, all of them inputs, and output
/// (rows, columns).
template <Format Output>
[[nodiscard]] PluginRequest plugin_request(const Dequantize<Output>&, const QuantizeProblem& problem,
                                           const DequantizeArguments<Output>& arguments) {
  PluginRequest request{
      Dequantize<Output>::name(), name_of(problem), Dequantize<Output>::formats(problem.scheme), {}, {}};
  detail::add_quantized(request, problem, arguments.quantized, false);
  request.tensors.push_back(detail::quantizer_tensor("output", OperandRole::output, element_format<Output>(),
                                                     arguments.matrix.data, problem.rows, problem.columns,
                                                     arguments.matrix.strides[0], arguments.matrix.strides[1]));
  return request;
}

/// Errors: see `LoadedPlugin::run`.
template <Format Input>
struct kernel<PluginBackend, Quantize<Input>> {
  static constexpr bool available = true;

  static Result<void> run(PluginBackend& backend, PluginBackend::Stream&, const QuantizeProblem& problem,
                          const QuantizeArguments<Input>& arguments) {
    return backend.plugin().run(plugin_request(Quantize<Input>{}, problem, arguments));
  }
};

template <Format Output>
struct kernel<PluginBackend, Dequantize<Output>> {
  static constexpr bool available = true;

  static Result<void> run(PluginBackend& backend, PluginBackend::Stream&, const QuantizeProblem& problem,
                          const DequantizeArguments<Output>& arguments) {
    return backend.plugin().run(plugin_request(Dequantize<Output>{}, problem, arguments));
  }
};

}  // namespace assay::inline v0
