#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/core/enum_name.hpp"
#include "assay/core/result.hpp"
#include "assay/formats/block_scaling.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/tensor/operand.hpp"
#include "assay/tensor/tensor.hpp"
#include "assay/validators/minimize/problem_fields.hpp"

namespace assay::inline v0 {

/// What an attribute holds.
enum class PluginAttributeKind { integer, real, text };

/// A parameter of a problem as plugins get it: truth values as 0 or 1, choices and formats as texts.
struct PluginAttribute {
  std::string name;  ///< of the parameter, as problems name it
  PluginAttributeKind kind = PluginAttributeKind::integer;
  std::int64_t integer = 0;  ///< where it is one, or a truth value
  double real = 0;           ///< where it is one, or an integer
  std::string text;          ///< of every kind
};

/// A tensor as plugins get it. One that the problem does without has an operand that is not present.
struct PluginTensor {
  std::string name;  ///< of the operand
  OperandRole role = OperandRole::input;
  ElementFormat format{};
  Operand operand;
};

/// What a plugin's kernel is to compute, in the words of plugin.h and without the operation's type.
struct PluginRequest {
  std::string operation;  ///< as in case ids
  std::string problem;    ///< as in ids of cases
  std::string formats;    ///< as in ids of cases
  std::vector<PluginAttribute> attributes;
  std::vector<PluginTensor> tensors;

  /// Whether one of the tensors holds float64: kernels that promise nothing compute these in float64, others in
  /// float32.
  [[nodiscard]] bool is_double() const {
    for (const PluginTensor& tensor : tensors)
      if (tensor.operand.present() && tensor.format == element_format<float64>()) return true;
    return false;
  }
};

/// The members that the problem names, nested ones and elements of arrays included, as in recorded cases: "extents[0]",
/// "forward.kind".
template <NamesItsFields Problem>
[[nodiscard]] std::vector<PluginAttribute> plugin_attributes(Problem problem) {
  std::vector<PluginAttribute> attributes;
  detail::walk_fields(problem, [&]<class Member>(const std::string& name, Member& member) {
    PluginAttribute attribute{name, PluginAttributeKind::text, 0, 0, detail::text_of_field(member)};
    if constexpr (std::is_integral_v<Member>) {
      attribute.kind = PluginAttributeKind::integer;
      attribute.integer = static_cast<std::int64_t>(member);
      attribute.real = static_cast<double>(member);
    } else if constexpr (std::is_floating_point_v<Member>) {
      attribute.kind = PluginAttributeKind::real;
      attribute.real = member;
    }
    attributes.push_back(std::move(attribute));
  });
  return attributes;
}

/// A block-scaled format as attributes, whose names begin with `prefix`: `scheme` (its name), `element`,
/// `element_bits`, `packing` (bytes, low_first, high_first), `block_rows` and `block_columns` (0: all), `scale_format`,
/// `scale_order` (strided, tiles_128x4), `block_zero_points` (0 or 1), `tensor_scale` (none, given, computed),
/// `scale_rule`.
[[nodiscard]] inline std::vector<PluginAttribute> plugin_scheme_attributes(const std::string& prefix,
                                                                           const BlockScaling& scheme) {
  std::vector<PluginAttribute> attributes;
  const auto text = [&](const char* name, std::string value) {
    attributes.push_back({prefix + name, PluginAttributeKind::text, 0, 0, std::move(value)});
  };
  const auto whole = [&](const char* name, std::int64_t value) {
    attributes.push_back(
        {prefix + name, PluginAttributeKind::integer, value, static_cast<double>(value), std::to_string(value)});
  };
  text("scheme", scheme.name);
  text("element", scheme.element.name);
  whole("element_bits", scheme.element.bits);
  text("packing", std::string(enum_name(scheme.packing)));
  whole("block_rows", scheme.block_rows);
  whole("block_columns", scheme.block_columns);
  text("scale_format", scheme.scale.name);
  text("scale_order", std::string(enum_name(scheme.order)));
  whole("block_zero_points", scheme.zero_points ? 1 : 0);
  text("tensor_scale", std::string(enum_name(scheme.tensor_scale)));
  text("scale_rule", name_of(scheme.rule));
  return attributes;
}

/// The name that an operation has in case ids for that problem.
template <Operation Op>
[[nodiscard]] std::string plugin_operation(const typename Op::Problem& problem) {
  if constexpr (requires { Op::operation_of(problem); })
    return Op::operation_of(problem);
  else
    return Op::name();
}

/// A launch of an operation. Errors: those of `Op::operands`.
template <Operation Op>
requires NamesItsFields<typename Op::Problem>
[[nodiscard]] Result<PluginRequest> plugin_request(const typename Op::Problem& problem, const OperandArray& operands) {
  const auto specs = Op::operands(problem);
  if (!specs) return specs.propagate();
  PluginRequest request{
      plugin_operation<Op>(problem), Op::name_of(problem), Op::formats_of(problem), plugin_attributes(problem), {}};
  if constexpr (requires {
                  problem.a.scheme;
                  problem.b.scheme;
                })
    for (const auto& [prefix, matrix] : {std::pair("a.", &problem.a), std::pair("b.", &problem.b)})
      if (matrix->is_block_scaled())
        for (PluginAttribute& attribute : plugin_scheme_attributes(prefix, matrix->scheme))
          request.attributes.push_back(std::move(attribute));
  for (std::size_t i = 0; i < specs.value().size(); ++i) {
    const OperandSpec& spec = specs.value()[i];
    request.tensors.push_back(
        {spec.name, spec.role, spec.format, spec.present ? operands[static_cast<int>(i)] : Operand{}});
  }
  return request;
}

/// A launch of a GEMM: A (batch, m, k), B (batch, k, n) and C (batch, m, n), whose strides tell transposition, order
/// and leading dimensions; C is updated where beta is not 0. Operands are said to lie within the guards of a `Tensor`,
/// as those of checks do.
template <Format A, Format B, Format Accumulator, Format C>
[[nodiscard]] PluginRequest plugin_request(const Gemm<A, B, Accumulator, C>&, const GemmProblem& problem,
                                           const GemmArguments<A, B, C>& arguments) {
  using Op = Gemm<A, B, Accumulator, C>;
  PluginRequest request{Op::name(), name_of(problem), Op::formats(), plugin_attributes(problem), {}};
  const auto add = [&]<class T>(const char* name, OperandRole role, const StridedView<T, 3>& view) {
    Operand operand;
    operand.data = const_cast<std::remove_const_t<T>*>(view.data);
    operand.format = element_format<std::remove_const_t<T>>();
    operand.rank = 3;
    operand.guard_bytes = static_cast<Index>(Tensor<float64, Host>::canary_elements * sizeof(float64));
    for (int d = 0; d < 3; ++d) {
      operand.extents[d] = view.extents[d];
      operand.strides[d] = view.strides[d];
    }
    request.tensors.push_back({name, role, operand.format, operand});
  };
  add("A", OperandRole::input, arguments.a);
  add("B", OperandRole::input, arguments.b);
  add("C", problem.beta != 0 ? OperandRole::updated : OperandRole::output, arguments.c);
  return request;
}

}  // namespace assay::inline v0
