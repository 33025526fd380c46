#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/formats/block_schemes.hpp"
#include "assay/suite/case.hpp"
#include "assay/validators/check_dequantize.hpp"
#include "assay/validators/check_quantize.hpp"
#include "assay/validators/quantize_shapes.hpp"

namespace assay::inline v0 {

/// How a suite of quantizers is made.
struct QuantizeSuiteOptions {
  std::vector<BlockScaling> schemes{all_block_schemes.begin(), all_block_schemes.end()};  ///< each becomes cases
  std::function<std::vector<QuantizeShape>(const BlockScaling&)> shapes = default_quantize_shapes;  ///< for each scheme
};

namespace detail {

template <class Op>
[[nodiscard]] Case quantize_case(const std::string& backend, const QuantizeShape& shape, const std::string& data) {
  Case entry;
  const std::string formats = Op::formats(shape.problem.scheme), name = name_of(shape.problem);
  entry.labels = {
      {"operation", Op::name()}, {"backend", backend}, {"formats", formats}, {"shape", name}, {"data", data}};
  entry.id = std::string(Op::name()) + "/" + backend + "/" + formats + "/" + name + "/" + data;
  if (shape.large) entry.tags.push_back("large");
  return entry;
}

}  // namespace detail

/// Adds a case for each scheme, shape and pattern. Ids are `quantize/<backend>/<input>.<scheme>/<shape>/<pattern>`.
/// `worker` gives out the memory and judges; copies of it are kept.
template <Format Input, ParallelBackend W>
void add_quantize_cases(Suite& suite, W worker, QuantizeSubject<Quantize<Input>> subject,
                        const QuantizeSuiteOptions& options = {}) {
  using Op = Quantize<Input>;
  auto shared_worker = std::make_shared<W>(std::move(worker));
  auto shared_subject = std::make_shared<const QuantizeSubject<Op>>(std::move(subject));
  for (const BlockScaling& scheme : options.schemes)
    for (const QuantizeShape& shape : options.shapes(scheme))
      for (QuantizeFillKind fill : shape.fills) {
        Case entry = detail::quantize_case<Op>(shared_subject->name, shape, std::string(name_of(fill)));
        entry.run = [shared_worker, shared_subject, problem = shape.problem, fill](const CaseContext& context) {
          return check_quantize<Op>(*shared_worker, *shared_subject, problem, fill, context);
        };
        entry.explain = [shared_subject, problem = shape.problem](const CaseContext&) {
          return explain_quantize_bound(problem.scheme, shared_subject->arithmetic(problem));
        };
        suite.push_back(std::move(entry));
      }
}

/// The same for dequantizers. Ids are `dequantize/<backend>/<scheme>.<output>/<shape>/<pattern>`. Schemes that differ
/// only in how their scales come about are the same to them: those with given scales are left out.
template <Format Output, ParallelBackend W>
void add_dequantize_cases(Suite& suite, W worker, QuantizeSubject<Dequantize<Output>> subject,
                          const QuantizeSuiteOptions& options = {}) {
  using Op = Dequantize<Output>;
  auto shared_worker = std::make_shared<W>(std::move(worker));
  auto shared_subject = std::make_shared<const QuantizeSubject<Op>>(std::move(subject));
  for (const BlockScaling& scheme : options.schemes) {
    if (scheme.rule == ScaleRule::given || scheme.tensor_scale == TensorScale::given) continue;
    for (const QuantizeShape& shape : options.shapes(scheme))
      for (DequantizeFillKind fill : all_dequantize_fills) {
        if (!fits(fill, scheme) || (fill != DequantizeFillKind::codes && shape.fills.size() < 3)) continue;
        Case entry = detail::quantize_case<Op>(shared_subject->name, shape, std::string(name_of(fill)));
        entry.run = [shared_worker, shared_subject, problem = shape.problem, fill](const CaseContext& context) {
          return check_dequantize<Op>(*shared_worker, *shared_subject, problem, fill, context);
        };
        entry.explain = [shared_subject, problem = shape.problem](const CaseContext&) {
          return explain_dequantize_bound(problem.scheme, shared_subject->arithmetic(problem));
        };
        suite.push_back(std::move(entry));
      }
  }
}

/// The same for the kernels that the trait `kernel<B, Op>` finds on a parallel backend, in that backend's own memory.
template <Format Input, ParallelBackend B>
void add_quantize_cases(Suite& suite, B backend, const QuantizeSuiteOptions& options = {}) {
  add_quantize_cases<Input>(suite, backend, quantize_subject<Quantize<Input>>(backend), options);
}
template <Format Output, ParallelBackend B>
void add_dequantize_cases(Suite& suite, B backend, const QuantizeSuiteOptions& options = {}) {
  add_dequantize_cases<Output>(suite, backend, quantize_subject<Dequantize<Output>>(backend), options);
}

}  // namespace assay::inline v0
