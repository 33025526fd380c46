#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "assay/formats/element_format.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/plugin/plugin_backend.hpp"
#include "assay/validators/gemm_subject.hpp"
#include "assay/validators/operation_subject.hpp"

namespace assay::inline v0 {

/// A plugin's kernel of an operation as a subject, judged by the arithmetic that the plugin promises of it.
template <Operation Op>
requires NamesItsFields<typename Op::Problem>
[[nodiscard]] OperationSubject<Op> plugin_operation_subject(PluginBackend backend) {
  OperationSubject<Op> subject = operation_subject<Op>(backend);
  subject.arithmetic = [backend](const typename Op::Problem& problem) {
    const auto specs = Op::operands(problem);
    const bool is_double =
        specs && std::any_of(specs.value().begin(), specs.value().end(), [](const OperandSpec& spec) {
          return spec.present && spec.format == element_format<float64>();
        });
    return backend.plugin().arithmetic(plugin_operation<Op>(problem), is_double);
  };
  subject.contract = [backend](const typename Op::Problem& problem) {
    return backend.plugin().contract(plugin_operation<Op>(problem));
  };
  return subject;
}

/// A plugin's GEMM as a subject. The accumulator of `Op` is that of ids; the bound is that of the plugin's promise, or
/// without one that of `Op`.
template <class Op>
[[nodiscard]] GemmSubject<Op> plugin_gemm_subject(PluginBackend backend) {
  GemmSubject<Op> subject = gemm_subject<Op>(backend);
  subject.accumulation = [backend](const GemmProblem&) {
    return backend.plugin()
        .arithmetic(Op::name(), element_format<typename Op::Accumulator>() == element_format<float64>())
        .accumulation;
  };
  subject.contract = [backend](const GemmProblem&) { return backend.plugin().contract(Op::name()); };
  return subject;
}

}  // namespace assay::inline v0
